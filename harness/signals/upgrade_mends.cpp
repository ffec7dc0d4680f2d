#include "harness/signals/upgrade_mends.h"

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
  return revctl::base::IsIdentifier(word) ? field.type + "::" + word : "";
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
  return "if (r.IsReading() && r.revision < " + field->since + ") d." + field->name + " = " +
         value + ";";
}

std::string FreeUpgradeName(const CheckContext& context, const RootType& root) {
  const std::string wanted = context.list_prefix + UpperSnake(RootName(root.type())) + "_UPGRADE";
  std::string name = wanted;
  for (int next = 2; context.history.Find(name) != nullptr; ++next)
    name = wanted + "_" + std::to_string(next);
  return name;
}

bool InWords(const CheckContext& context, const RootType& root, const Decoded& decoded) {
  const auto layouts = decoded.resaved.notes.Layouts(context.history.latest().number);
  const auto own = layouts.find(root.name);
  return own != layouts.end() && HasOtherMacros(own->second.layout.fields);
}

std::string UpgradeMends(const CheckContext& context, const RootType& root, const Decoded& decoded,
                         const golden::Change& change) {
  const std::string keep = KeepLine(root, decoded, change, context.history.latest().number);
  const std::string name = FreeUpgradeName(context, root);
  std::string mends = "put the upgrade code back as it was";
  if (!keep.empty())
    mends +=
        ", or the default\nor let older files keep what they became, by upgrade code:\n" + keep;
  return mends +
         "\nor let a new revision make another value of it, behind the code that gives the "
         "recorded "
         "one:\nrevctl reserve " +
         name + "\n" +
         (InWords(context, root, decoded)
              ? "change what files before " + name + " become"
              : "if (r.IsReading() && r.revision < " + name + ") { ... }") +
         "\n" + context.options.program + " record";
}

}  // namespace revctl::harness
