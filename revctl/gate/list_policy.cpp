// What the policy says of one list, under the gate: where it is, how it is read, from which number
// it goes on, which names it has purged.
#include <algorithm>

#include "revctl/gate/rules.h"
#include "revctl/ledger/chain.h"
#include "revctl/list/reading/source.h"

namespace revctl::commands {
namespace {

using findings::Severity;

constexpr std::string_view kReading = "how";

class ListPolicy {
 public:
  ListPolicy(const ListGate& gate, const ListPolicyChange& change, Severity ends,
             std::vector<findings::Finding>& out)
      : gate_(gate), change_(change), ends_(ends), out_(out) {}

  Result<Done> Run() {
    CheckReading();
    CheckFloor();
    CheckPurged();
    return CheckPath();
  }

 private:
  void Add(std::string_view key, const std::string& what, const std::string& mend) {
    out_.push_back({"RV024", ends_,
                    fmt::format("this change ends protection ({} list `{}`{}): {}", key,
                                change_.before.name, key == kReading ? " is read" : "", what),
                    change_.file, 0, "", AllowPolicyChange(mend)});
  }

  /// A landed revision must be one for the changed keys, too.
  void CheckReading() {
    const list::ListConfig &before = change_.before, &after = change_.after;
    if (before.prefix == after.prefix && before.enum_name == after.enum_name &&
        before.aliases == after.aliases && before.sentinel == after.sentinel &&
        before.current == after.current)
      return;
    const std::string mend = "leave prefix, enum, aliases, sentinel and current alone";
    const auto now = list::Parse(gate_.ours().text, after, after.path);
    if (!now.ok())
      return Add(kReading, "it could not be read any more: " + now.error().message, mend);
    for (const list::Entry& entry : gate_.ours().entries) {
      if (entry.kind != list::EntryKind::Revision || gate_.landed()->Find(entry.name) == nullptr)
        continue;
      const list::Entry* const found = now->Find(entry.name);
      if (found != nullptr && found->kind == list::EntryKind::Revision) continue;
      return Add(kReading, fmt::format("the landed {} would be no revision any more", entry.name),
                 mend);
    }
  }

  /// Code may include the old file as long as it is there, and nothing would judge it.
  Result<Done> CheckPath() {
    const std::string& old = change_.before.path;
    if (old == change_.after.path) return Done{};
    const GateRequest& request = gate_.request();
    TRY(const auto text, request.side.Read(request.prefix + old));
    if (!text) return Done{};
    const auto left = list::Parse(*text, change_.before, old);
    const std::string name = left.ok() ? EntryOf(*left) : EntryInCode(*text);
    if (!name.empty())
      Add("path of",
          fmt::format("{} stays in {}{} as well, which nothing would judge", name, request.prefix,
                      old),
          "git mv moves the list, and nothing stays behind");
    return Done{};
  }

  /// A landed name that `list` has, too; empty: none.
  std::string EntryOf(const list::RevisionList& list) const {
    for (const list::Entry& entry : gate_.landed()->entries) {
      if (list.Find(entry.name) != nullptr) return entry.name;
    }
    return "";
  }

  /// A landed name beside an enum in `text`, which is no list for us and may be one for a compiler;
  /// the first one where a compiler may make names that are not written there; empty: none.
  std::string EntryInCode(std::string_view text) const {
    const list::RevisionList& landed = *gate_.landed();
    const std::string first = landed.entries.empty() ? "" : landed.entries.front().name;
    base::Problem problem;
    const auto lexed = base::Lex(text, problem);
    if (!lexed) return first;
    std::string name;
    bool has_enum = false;
    for (const base::Token& token : lexed->tokens) {
      if (token.Is("##")) return first;
      has_enum = has_enum || token.Is("enum");
      if (name.empty() && token.IsName() && landed.Find(token.text) != nullptr) name = token.text;
    }
    return has_enum ? name : "";
  }

  /// Numbers that were given before numbers were given at landing.
  void CheckFloor() {
    const list::ListConfig &before = change_.before, &after = change_.after;
    if (after.numbers != list::Numbers::AtLanding) return;
    const list::Entry* const latest = gate_.landed()->Latest();
    std::optional<std::int64_t> given = before.floor;
    if (before.numbers != list::Numbers::AtLanding && change_.mark)
      given = std::max(given.value_or(*change_.mark), *change_.mark);
    std::optional<std::int64_t> next = after.floor;
    if (latest != nullptr) next = std::max(next.value_or(latest->number), latest->number);
    if (given && (!next || *next < *given))
      return Add("floor of", fmt::format("numbers up to {} would be given again", *given),
                 fmt::format("floor: \"{}\"", *given));
    if (!after.floor || after.floor == before.floor) return;
    const std::optional<std::int64_t> landed =
        latest == nullptr ? std::nullopt : std::optional(latest->number);
    if (ledger::TooFar(*after.floor, std::max(given, landed)))
      Add("floor of",
          fmt::format("numbers would go on from {}, far beyond all others", *after.floor),
          "revctl convert-numbers at-landing writes the right one");
  }

  /// A purged name never comes back, and no other name is purged.
  void CheckPurged() {
    for (const std::string& name : change_.before.purged) {
      if (change_.after.purged.contains(name) || !change_.landed.purged.contains(name)) continue;
      return Add("purged names of", name + " had landed, and could land again",
                 fmt::format("put {} back", name));
    }
    for (const std::string& name : change_.after.purged) {
      if (change_.before.purged.contains(name) || change_.landed.purged.contains(name)) continue;
      if (gate_.landed()->Find(name) != nullptr) continue;
      return Add("purged names of", name + " has not landed, and could never be reserved",
                 fmt::format("take {} out; revctl purge writes the names", name));
    }
  }

  const ListGate& gate_;
  const ListPolicyChange& change_;
  const Severity ends_;
  std::vector<findings::Finding>& out_;
};

}  // namespace

Result<Done> CheckListPolicy(const ListGate& gate, const ListPolicyChange& change, Severity ends,
                             std::vector<findings::Finding>& out) {
  return ListPolicy(gate, change, ends, out).Run();
}

}  // namespace revctl::commands
