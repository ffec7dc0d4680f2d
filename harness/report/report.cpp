// Writes report.json, which contains the store (the same in all shards) and this shard's findings.
#include "harness/report/report.h"

#include <fmt/core.h>
#include <map>

#include <revctl/detail/binary/file_header.h>

#include "golden/payload_pack.h"
#include "harness/schema/schema.h"
#include "revctl/base/first_few.h"
#include "revctl/base/json.h"

namespace revctl::harness {
namespace {

using base::Json;

Json Changes(const std::vector<SchemaChange>& changes) {
  Json::List out;
  for (const SchemaChange& change : changes) {
    const char* kind = change.kind == SchemaChange::Kind::Added     ? "+"
                       : change.kind == SchemaChange::Kind::Removed ? "-"
                                                                    : "~";
    out.push_back(Json::List{kind, change.type, change.field, change.before, change.after});
  }
  return out;
}

Json Revisions(const ReportInput& input) {
  Json::List out;
  const auto& revisions = input.history.revisions();
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    out.push_back(Json::Object()
                      .Set("name", revisions[i].name)
                      .Set("number", revisions[i].number)
                      .Set("lineage", revctl::LineageText(revisions[i].lineage))
                      .Set("recorded", revisions[i].exists)
                      .Set("imported", !revisions[i].additions.empty())
                      .Set("changes", Changes(RecordedChanges(input.history, i))));
  }
  return out;
}

/// All recorded types and enums, root types first.
class Types {
 public:
  explicit Types(const ReportInput& input) : input_(input) {
    for (const RootType& root : input.registry.types) RowOf(root.name).kind = "root";
    const auto& revisions = input.history.revisions();
    for (std::size_t i = 0; i < revisions.size(); ++i) {
      if (revisions[i].record) AddRecord(i, revisions[i].record->record);
      for (const auto* addition : revisions[i].additions) AddRecord(i, addition->record);
    }
    for (const std::string& name : input.history.GoldenTypes()) AddGoldens(name);
    for (const CellCost& cost : input.result.costs) AddCost(cost);
  }

  Json Take() {
    Json::List out;
    for (Row& row : rows_) {
      Json::List goldens;
      for (const Sizes& at : row.goldens)
        goldens.push_back(Json::List{at.revision, at.count, at.least, at.sum, at.most});
      out.push_back(Json::Object()
                        .Set("name", row.name)
                        .Set("kind", row.kind)
                        .Set("layouts", std::move(row.layouts))
                        .Set("goldens", std::move(goldens))
                        .Set("costs", std::move(row.costs)));
    }
    return out;
  }
  const std::vector<std::string>& fields() const { return fields_; }
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  /// The number of a revision's goldens, and their sizes in bytes.
  struct Sizes {
    std::size_t revision = 0;
    std::uint64_t count = 0, least = 0, sum = 0, most = 0;
  };
  struct Row {
    std::string name, kind = "record";
    Json::List layouts, costs;
    std::vector<Sizes> goldens;
  };

  Row& RowOf(const std::string& name) {
    const auto [found, fresh] = places_.emplace(name, rows_.size());
    if (fresh) rows_.emplace_back().name = name;
    return rows_[found->second];
  }

  /// Stores each field's text once, because a field occurs in the layouts of many revisions.
  std::size_t FieldOf(const std::string& text) {
    const auto [found, fresh] = field_places_.emplace(text, fields_.size());
    if (fresh) fields_.push_back(text);
    return found->second;
  }

  void AddRecord(std::size_t index, const golden::RevisionRecord& record) {
    for (const auto& type : record.types) {
      Json::List places;
      for (const auto& field : type.layout.fields)
        places.push_back(FieldOf(golden::FieldText(field)));
      RowOf(type.layout.type).layouts.push_back(Json::List{index, std::move(places)});
    }
    for (const auto& layout : record.enums) {
      Json::List places;
      for (const auto& [name, value] : layout.enumerators) {
        places.push_back(FieldOf(fmt::format("{} = {}", name, value)));
      }
      Row& row = RowOf(layout.type);
      row.kind = "enum";
      row.layouts.push_back(Json::List{index, std::move(places)});
    }
  }

  void AddGoldens(const std::string& name) {
    Row& row = RowOf(name);
    // A retired type, or a type that is not registered.
    if (row.kind == "record") row.kind = "gone";
    for (const Golden& golden : input_.history.SmallAndLarge(name)) {
      const std::uint64_t size = golden.item->size;
      fingerprint_ = (fingerprint_ ^ golden.item->hash) * 0x100000001b3ULL + golden.revision;
      if (row.goldens.empty() || row.goldens.back().revision != golden.revision)
        row.goldens.push_back({golden.revision, 0, size, 0, size});
      Sizes& at = row.goldens.back();
      ++at.count;
      at.least = std::min(at.least, size);
      at.sum += size;
      at.most = std::max(at.most, size);
    }
  }

  void AddCost(const CellCost& cost) {
    const Revision* const at = input_.history.Find(cost.revision);
    const std::int64_t index =
        at == nullptr ? -1 : static_cast<std::int64_t>(input_.history.IndexOf(*at));
    RowOf(cost.type).costs.push_back(Json::List{index, cost.milliseconds});
  }

  const ReportInput& input_;
  std::vector<Row> rows_;
  std::vector<std::string> fields_;
  std::map<std::string, std::size_t> places_, field_places_;
  std::uint64_t fingerprint_ = 0xcbf29ce484222325ULL;
};

Json Findings(const CheckResult& result) {
  Json::List out;
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const Finding& finding = result.findings[i];
    Json::List at;
    if (i < result.at.size()) at.assign(result.at[i].begin(), result.at[i].end());
    std::string details = finding.details;
    if (!finding.items.empty()) {
      details += (details.empty() ? "" : "\n") + base::FirstLines(finding.items);
      details.pop_back();
    }
    out.push_back(Json::Object()
                      .Set("rule", findings::NameOf(finding.rule))
                      .Set("severity", revctl::findings::SeverityName(finding.severity))
                      .Set("signal", finding.signal)
                      .Set("type", finding.type)
                      .Set("field", finding.field)
                      .Set("revision", finding.revision)
                      .Set("revisions", std::move(at))
                      .Set("message", finding.message)
                      .Set("details", std::move(details))
                      .Set("fix", FixText(finding.fix))
                      .Set("file", finding.file)
                      .Set("line", finding.line));
  }
  return out;
}

}  // namespace

std::string ReportJson(const ReportInput& input) {
  Types types(input);
  Json rows = types.Take();
  // Names may contain invalid UTF-8, which must be escaped.
  return base::JsonText(
             Json::Object()
                 .Set("version", 1)
                 .Set("report", "sweep")
                 .Set("list", std::string(input.list.name))
                 .Set("when", input.when)
                 .Set("shard", Json::List{input.shard.index, input.shard.count})
                 .Set("covered", Json::List(input.types.begin(), input.types.end()))
                 .Set("fingerprint", types.fingerprint())
                 .Set("goldens", input.result.goldens)
                 .Set("hostile", Json::List{input.inputs, input.refused})
                 .Set("findings", Findings(input.result))
                 .Set("revisions", Revisions(input))
                 .Set("types", std::move(rows))
                 .Set("fields", Json::List(types.fields().begin(), types.fields().end()))) +
         "\n";
}

}  // namespace revctl::harness
