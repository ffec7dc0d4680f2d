#include "harness/signals/upgrade_mends.h"

#include <fmt/core.h>
#include <algorithm>

#include "golden/scalar_text.h"
#include "harness/layout/field_matching.h"
#include "harness/trace/source_place.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

/// As a source spells the value of a field; empty where that is not known.
std::string Literal(const std::string& text, const revctl::LayoutField& field) {
  constexpr std::size_t kLongest = 60;
  if (text.size() > kLongest) return "";
  const std::string word(golden::WordOf(text));
  if (word.empty() || field.type == "bool") return text;
  if (word.find_first_not_of("0123456789.-+e") == std::string::npos) return word;
  return base::IsIdentifier(word) ? fmt::format("{}::{}", field.type, word) : "";
}

}  // namespace

std::string KeepLine(const RootType& root, const Decoded& decoded, const golden::Change& change,
                     std::int64_t latest) {
  const auto& values = decoded.golden->item->values;
  const bool read = std::any_of(values.begin(), values.end(),
                                [&](const golden::Leaf& leaf) { return leaf.path == change.path; });
  if (read || !change.before || !change.after) return "";
  const auto layouts = decoded.resaved.notes.Layouts(latest);
  const revctl::LayoutField* const field = FieldAt(layouts, root.name, change.path);
  if (field == nullptr || field->since.empty() || !field->until.empty()) return "";
  const std::string value = Literal(*change.before, *field);
  if (value.empty()) return "";
  return fmt::format("if (r.IsReading() && r.revision < {}) d.{} = {};", field->since, field->name,
                     value);
}

std::string FreeUpgradeName(const CheckContext& context, const RootType& root) {
  const std::string wanted =
      fmt::format("{}{}_UPGRADE", context.list_prefix, UpperSnake(RootName(root.type())));
  std::string name = wanted;
  for (int next = 2; context.history.Find(name) != nullptr; ++next)
    name = fmt::format("{}_{}", wanted, next);
  return name;
}

std::string UpgradeLine(const CheckContext& context, const RootType& root, const Decoded& decoded,
                        const std::string& revision, const std::string& code) {
  const auto layouts = decoded.resaved.notes.Layouts(context.history.latest().number);
  const auto own = layouts.find(root.name);
  if (own != layouts.end() && HasOtherMacros(own->second.layout.fields))
    return fmt::format("change what files before {} become", revision);
  return fmt::format("if (r.IsReading() && r.revision < {}) {}", revision, code);
}

void OfferUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                  const std::vector<golden::Change>& changes, const Finding& finding) {
  const std::string& after = context.history.revisions()[context.history.newest_recorded()].name;
  context.Offer({.kind = golden::Approval::Kind::Upgrade,
                 .type = root.name,
                 .after = after,
                 .cases = {decoded.golden->id},
                 .changes = changes},
                finding);
}

std::string UpgradeMends(const CheckContext& context, const RootType& root, const Decoded& decoded,
                         const golden::Change& change) {
  const std::string keep = KeepLine(root, decoded, change, context.history.latest().number);
  const std::string name = FreeUpgradeName(context, root);
  std::string mends = "put the upgrade code back as it was";
  if (!keep.empty())
    mends +=
        ", or the default\nor let older files keep what they became, by upgrade code:\n" + keep;
  return fmt::format(
      "{}\nor let a new revision make another value of it, behind the code that gives the recorded "
      "one:\nrevctl reserve {}\n{}\n{} record",
      mends, name, UpgradeLine(context, root, decoded, name, "{ ... }"), context.options.program);
}

}  // namespace revctl::harness
