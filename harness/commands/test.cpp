// `test [Catch2 options]`: runs the signals as Catch2 test cases, together with the program's own
// TEST_CASEs. If Catch2 is header-only (2.13), this file contains its implementation. Catch2 3 is a
// library.
#if __has_include(<catch2/catch_session.hpp>)
#define HARNESS_CATCH 3
#include <catch2/catch_message.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/internal/catch_test_registry.hpp>
#else
#define HARNESS_CATCH 2
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/commands/command.h"

namespace revctl::harness {
namespace {

const char* const kSignals[] = {"layout",  "bytes",    "value", "upgrade", "stability",
                                "refusal", "coverage", "type",  "store"};

/// Checks one root type, or the rest of the store. Runs the check when the first test case needs
/// its result.
class LazyCheck {
 public:
  /// If `type` is empty, checks everything outside the root types.
  LazyCheck(const Session& session, const std::string& type)
      : session_(session), options_(OptionsOf(session)) {
    options_.only.emplace();
    if (!type.empty()) options_.only->insert(type);
    options_.store = type.empty();
  }

  const CheckResult& Get() {
    if (!result_) {
      const golden::Store store = golden::Store::Open(session_.golden);
      result_ = CheckIsolated(session_.registry, *session_.list, store, options_);
    }
    return *result_;
  }

 private:
  const Session& session_;
  CheckOptions options_;
  std::optional<CheckResult> result_;
};

/// A test case with a section for each signal. Catch2 runs the test case once per section, but the
/// check runs only once.
class SignalsCase : public Catch::ITestInvoker {
 public:
  explicit SignalsCase(std::shared_ptr<LazyCheck> check) : check_(std::move(check)) {}

  void invoke() const override {
    const CheckResult& result = check_->Get();
    for (const char* signal : kSignals) {
      SECTION(signal) { CheckSignal(result, signal); }
    }
  }

 private:
  static void CheckSignal(const CheckResult& result, const std::string& signal) {
    for (const Finding& finding : result.findings) {
      if (finding.signal != signal) continue;
      const std::string text =
          revctl::findings::Render({finding}, revctl::findings::Format::Text, false);
      if (finding.severity == Severity::Error) {
        FAIL_CHECK(text);
      } else if (finding.severity == Severity::Warning) {
        WARN(text);
      }
    }
    SUCCEED();
  }

  std::shared_ptr<LazyCheck> check_;
};

/// Registers test cases as TEST_CASE does. Owns their names, because Catch2 3 stores only views of
/// them.
class Cases {
 public:
  void Add(const std::string& name, const std::string& tags, const char* file, int line,
           std::shared_ptr<LazyCheck> check) {
    const std::string& kept_name = texts_.emplace_back(name);
    const std::string& kept_tags = texts_.emplace_back(tags);
    registered_.emplace_back(Owned(new SignalsCase(std::move(check))),
                             Catch::SourceLineInfo(file, static_cast<std::size_t>(line)),
                             Catch::StringRef(), Catch::NameAndTags(kept_name, kept_tags));
  }

 private:
#if HARNESS_CATCH == 3
  static Catch::Detail::unique_ptr<Catch::ITestInvoker> Owned(Catch::ITestInvoker* invoker) {
    return Catch::Detail::unique_ptr<Catch::ITestInvoker>(invoker);
  }
#else
  static Catch::ITestInvoker* Owned(Catch::ITestInvoker* invoker) { return invoker; }
#endif
  std::deque<std::string> texts_;
  std::deque<Catch::AutoReg> registered_;
};

/// True if ctest asks for a list of the test cases. Replaces this option in `arguments` with the
/// option that prints one name per line in this version of Catch2.
bool ListsNames(std::vector<std::string>& arguments) {
  const auto found = std::find(arguments.begin(), arguments.end(), "--list-test-names-only");
  if (found == arguments.end()) return false;
#if HARNESS_CATCH == 3
  *found = "--list-tests";
  arguments.insert(arguments.end(), {"--verbosity", "quiet"});
#endif
  return true;
}

}  // namespace

Exit RunTest(const Session& session, const TestArguments& arguments) {
  static Cases cases;
  cases.Add("harness: store", "[harness][store]", __FILE__, __LINE__,
            std::make_shared<LazyCheck>(session, ""));
  for (const RootType& root : session.registry.types) {
    cases.Add("harness: " + root.name, "[harness][type]", root.entry.file, root.entry.line,
              std::make_shared<LazyCheck>(session, root.name));
  }
  std::vector<std::string> words = arguments.words;
  words.insert(words.begin(), session.path + " test");
  const bool finds = ListsNames(words);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  static Catch::Session catch_session;
  if (catch_session.applyCommandLine(static_cast<int>(pointers.size()), pointers.data()) != 0)
    return Exit::Usage;
  // When Catch2 2 lists something, it returns the number of items instead of the number of
  // failures.
  const auto& asked = catch_session.configData();
  const bool lists = finds || asked.listTests || asked.listTags || asked.listReporters;
  const int failed = catch_session.run();
  return failed == 0 || lists ? Exit::Fine : Exit::Findings;
}

}  // namespace revctl::harness
