// report.json: what the store holds, which every shard knows, and what this shard found.
#include "harness/report/report.h"

#include <map>
#include <nlohmann/json.hpp>

#include "golden/payload_pack.h"
#include "harness/schema/schema_changes.h"
#include "revctl/file_header.h"

namespace revctl::harness {
namespace {

using Json = nlohmann::ordered_json;

/// Texts of fields, each once: a field stands in the layouts of many revisions.
class Pool {
 public:
  std::size_t Of(const std::string& text) {
    const auto [found, fresh] = places_.emplace(text, texts_.size());
    if (fresh) texts_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
};

Json Changes(const std::vector<SchemaChange>& changes) {
  Json out = Json::array();
  for (const SchemaChange& change : changes) {
    const char* kind = change.kind == SchemaChange::Kind::Added     ? "+"
                       : change.kind == SchemaChange::Kind::Removed ? "-"
                                                                    : "~";
    out.push_back({kind, change.type, change.field, change.before, change.after});
  }
  return out;
}

/// What the record of one revision changed in the layouts in force before it.
std::vector<SchemaChange> ChangesOf(const History& history, std::size_t index) {
  Schema before, after;
  const golden::StoredRecord* record = history.revisions()[index].record;
  if (record == nullptr) return {};
  for (const auto& type : record->record.types) {
    after.types[type.layout.type].layout = type.layout;
    const auto* then = index == 0 ? nullptr : history.TypeAt(type.layout.type, index - 1);
    if (then) before.types[type.layout.type].layout = then->layout;
  }
  for (const auto& layout : record->record.enums) {
    after.enums[layout.type] = layout;
    const auto* then = index == 0 ? nullptr : history.EnumAt(layout.type, index - 1);
    if (then) before.enums[layout.type] = *then;
  }
  return CompareSchemas(before, after);
}

Json Revisions(const ReportInput& input) {
  Json out = Json::array();
  const auto& revisions = input.history.revisions();
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    out.push_back({{"name", revisions[i].name},
                   {"number", revisions[i].number},
                   {"lineage", revctl::LineageText(revisions[i].lineage)},
                   {"recorded", revisions[i].exists},
                   {"changes", Changes(ChangesOf(input.history, i))}});
  }
  return out;
}

/// Every record and enum that anything is recorded of, root types first.
class Types {
 public:
  explicit Types(const ReportInput& input) : input_(input) {
    for (const RootType& root : input.registry.types) Row(root.name)["kind"] = "root";
    const auto& revisions = input.history.revisions();
    for (std::size_t i = 0; i < revisions.size(); ++i) {
      if (revisions[i].record) AddRecord(i, revisions[i].record->record);
      for (const auto* addition : revisions[i].additions) AddRecord(i, addition->record);
    }
    for (const std::string& name : input.history.GoldenTypes()) AddGoldens(name);
    for (const CellCost& cost : input.result.costs) AddCost(cost);
  }

  Json Take() { return std::move(rows_); }
  const std::vector<std::string>& fields() const { return pool_.texts(); }
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  Json& Row(const std::string& name) {
    const auto [found, fresh] = places_.emplace(name, rows_.size());
    if (fresh) {
      rows_.push_back({{"name", name},
                       {"kind", "record"},
                       {"layouts", Json::array()},
                       {"goldens", Json::array()},
                       {"costs", Json::array()}});
    }
    return rows_[found->second];
  }

  void AddRecord(std::size_t index, const golden::RevisionRecord& record) {
    for (const auto& type : record.types) {
      Json places = Json::array();
      for (const auto& field : type.layout.fields) places.push_back(pool_.Of(FieldText(field)));
      Row(type.layout.type)["layouts"].push_back({index, std::move(places)});
    }
    for (const auto& layout : record.enums) {
      Json places = Json::array();
      for (const auto& [name, value] : layout.enumerators) {
        places.push_back(pool_.Of(name + " = " + std::to_string(value)));
      }
      Json& row = Row(layout.type);
      row["kind"] = "enum";
      row["layouts"].push_back({index, std::move(places)});
    }
  }

  void AddGoldens(const std::string& name) {
    Json& row = Row(name);
    if (row["kind"] == "record") row["kind"] = "gone";  // retired, or registered no more
    Json* last = nullptr;
    for (const Golden& golden : input_.history.Goldens(name)) {
      const std::uint64_t size = golden.item->size;
      fingerprint_ = (fingerprint_ ^ golden.item->hash) * 0x100000001b3ULL + golden.revision;
      Json& goldens = row["goldens"];
      if (last == nullptr || (*last)[0] != golden.revision) {
        goldens.push_back(
            {golden.revision, 0, size, 0, size});  // revision, count, least, sum, most
        last = &goldens.back();
      }
      (*last)[1] = (*last)[1].get<std::uint64_t>() + 1;
      (*last)[2] = std::min((*last)[2].get<std::uint64_t>(), size);
      (*last)[3] = (*last)[3].get<std::uint64_t>() + size;
      (*last)[4] = std::max((*last)[4].get<std::uint64_t>(), size);
    }
  }

  void AddCost(const CellCost& cost) {
    std::int64_t index = -1;
    const auto& revisions = input_.history.revisions();
    for (std::size_t i = 0; i < revisions.size() && !cost.revision.empty(); ++i) {
      if (revisions[i].name == cost.revision) index = static_cast<std::int64_t>(i);
    }
    Row(cost.type)["costs"].push_back({index, cost.milliseconds});
  }

  const ReportInput& input_;
  Json rows_ = Json::array();
  std::map<std::string, std::size_t> places_;
  Pool pool_;
  std::uint64_t fingerprint_ = 0xcbf29ce484222325ULL;
};

Json Findings(const CheckResult& result) {
  Json out = Json::array();
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const Finding& finding = result.findings[i];
    Json at = Json::array();
    if (i < result.at.size()) at = result.at[i];
    out.push_back({{"rule", finding.rule},
                   {"severity", revctl::findings::SeverityName(finding.severity)},
                   {"signal", finding.signal},
                   {"type", finding.type},
                   {"field", finding.field},
                   {"revision", finding.revision},
                   {"revisions", std::move(at)},
                   {"message", finding.message},
                   {"details", finding.details},
                   {"fix", finding.fix},
                   {"file", finding.file},
                   {"line", finding.line}});
  }
  return out;
}

}  // namespace

std::string ReportJson(const ReportInput& input) {
  Types types(input);
  Json report = {{"version", 1},
                 {"report", "sweep"},
                 {"list", std::string(input.list.name)},
                 {"when", input.when},
                 {"shard", {input.shard.index, input.shard.count}},
                 {"covered", input.types},
                 {"fingerprint", types.fingerprint()},
                 {"goldens", input.result.goldens},
                 {"hostile", {input.inputs, input.refused}},
                 {"findings", Findings(input.result)},
                 {"revisions", Revisions(input)}};
  report["types"] = types.Take();
  report["fields"] = types.fields();
  // A name may hold bytes that are no UTF-8; they are shown as what they are not, and harm nothing.
  return report.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace revctl::harness
