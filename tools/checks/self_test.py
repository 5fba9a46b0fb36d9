"""The checks find what they should find: small samples of C++ with known answers. Called by tools/check.py."""

import unittest

from .cpp_scan import Scanner, blanked
from .doors import comment_above, places, reasons

SAMPLE = r'''
// struct Comment { void no(); };
#define NOTHING struct Macro { void no(); };
namespace a::b {
template <class T, int N = (1 < 2)>
    requires(sizeof(T) > 1)
class STOA_API Sample final : public Base<T> {
  public:
    Sample() : first_{1}, second_(2) {
        use("}");
    }
    ~Sample();
    Sample& operator=(const Sample&) = delete;
    bool operator==(const Sample&) const = default;
    int overloaded() const { return '}' + 1'000; }
    int overloaded(int) noexcept(noexcept(f()));
    template <class F>
    auto generic(F&& f = {}) -> decltype(f()) requires Callable<F> {
        struct Local { void inside() {} } local;
        return [&] { return f(); }();
    }
    explicit operator bool() const;
    friend bool close(const Sample&) { return true; }

  private:
    struct Nested { void one(); void two(); };
    using Function = void (*)(int);
    void (*pointer_)(int) = nullptr;
    std::function<void(int)> callable_;
    int first_{f()}, second_ = g(3);
    alignas(64) char bytes_[R"(})"[0]];
};
static const int table[] = {1, 2, 3};
void Sample<int>::outside(int (*p)[3]) const
{
    if (p) { return; }
}
}
'''

CASTS = r'''
// Safe: for the whole class.
struct Covered {
    int* value(void* at) { return static_cast<int*>(at); }
};
void f(void* at, std::byte* bytes) {
    auto* free = static_cast<std::byte*>(at);
    auto number = reinterpret_cast<std::uintptr_t>(at);
    auto* tag = static_cast<int*>(nullptr);
    // Safe: on the line before.
    ::new (at) int(1);
    int* bare = reinterpret_cast<std::map<int, int>*>(bytes);






    g(const_cast<int&>(*bare));
}
'''


class ScannerTest(unittest.TestCase):
    def setUp(self):
        self.scanner = Scanner(SAMPLE)

    def test_classes_and_their_functions(self):
        found = {entry.name: entry for entry in self.scanner.classes}
        self.assertEqual(set(found), {"Sample", "Nested"})
        self.assertEqual(found["Sample"].verbs(), {"operator_", "overloaded", "generic", "operator bool"})
        self.assertEqual(found["Nested"].verbs(), {"one", "two"})

    def test_functions_and_their_lines(self):
        found = [(entry.name, entry.lines()) for entry in self.scanner.functions]
        self.assertEqual(found, [("Sample", 3), ("overloaded", 1), ("generic", 5), ("close", 1), ("outside", 4)])

    def test_blanked_text_keeps_its_places(self):
        text = blanked(SAMPLE)
        self.assertEqual([len(line) for line in text.split("\n")], [len(line) for line in SAMPLE.split("\n")])
        self.assertNotIn("Comment", text)
        self.assertNotIn("Macro", text)


class DoorsTest(unittest.TestCase):
    def test_places_and_their_reasons(self):
        scanner, lines = Scanner(CASTS), CASTS.splitlines()
        found = []
        for position, what in sorted(places(scanner.text)):
            line = scanner.line(position)
            found.append((what, any("Safe:" in reason for reason in reasons(scanner, lines, line))))
        self.assertEqual(found, [("static_cast", True), ("placement new", True), ("reinterpret_cast", True), ("const_cast", False)])

    def test_comment_above(self):
        self.assertEqual(comment_above(["x", "// a", "// b", "f"], 4), ["// a", "// b"])


def check_selftest(report, _):
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromModule(__import__(__name__, fromlist=["ScannerTest"])).run(result)
    for test, problem in result.failures + result.errors:
        report.fail(f"{test}\n{problem}")
    report.note(f"{result.testsRun} tests of the checks themselves")
