// A program built without exceptions and RTTI. It has its own ADD macro, so it uses the library's
// long macro names.
#define REVCTL_NO_SHORT_MACROS
#define ADD(a, b) ((a) + (b))
#define REM(a, b) ((a) % (b))

#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <cstdio>

namespace {

enum class Rev { Initial = 1, Second = 2, Latest = Second };

struct Effect {
  virtual ~Effect() = default;
  virtual const char* RevctlClassName() const = 0;
};
REVCTL_POLYMORPHIC(Effect);
struct Burn : Effect {
  std::int32_t damage = 3;
  const char* RevctlClassName() const override { return "burn"; }
};
REVCTL_SERIALIZE_TYPE(Burn) { REVCTL_ADD(Rev::Initial, damage); }
REVCTL_SERIALIZE_END
REVCTL_REGISTER_CLASS(Effect, Burn, "burn");

// Represents a class of a third-party library. The program cannot edit the class, so it adds a free
// function.
struct Node {
  virtual ~Node() = default;
  virtual int Kind() const { return 0; }
};
struct Lamp : Node {
  std::int32_t light = 4;
  int Kind() const override { return 1; }
};
struct Door : Node {
  std::int32_t key = 6;
  int Kind() const override { return 2; }
};
REVCTL_POLYMORPHIC(Node);
[[maybe_unused]] std::string_view ClassNameOf(const Node& node) {
  return node.Kind() == 1 ? "lamp" : node.Kind() == 2 ? "door" : "";
}
REVCTL_SERIALIZE_TYPE(Lamp) { REVCTL_ADD(Rev::Initial, light); }
REVCTL_SERIALIZE_END
REVCTL_SERIALIZE_TYPE(Door) { REVCTL_ADD(Rev::Initial, key); }
REVCTL_SERIALIZE_END
REVCTL_REGISTER_CLASS(Node, Lamp, "lamp");
REVCTL_REGISTER_CLASS(Node, Door, "door");

struct Player {
  std::string name = "ann";
  std::map<std::string, std::int32_t> stats{{"gold", 5}};
  std::variant<std::int32_t, std::string> either = "x";
  std::optional<float> luck = 0.5f;
  std::unique_ptr<Effect> effect = std::make_unique<Burn>();
};
REVCTL_SERIALIZE_TYPE(Player) {
  REVCTL_ADD(Rev::Initial, name);
  REVCTL_REM(Rev::Initial, Rev::Second, std::int32_t, hp, ADD(2, 3));
  REVCTL_ADD(Rev::Initial, stats);
  REVCTL_ADD_CONDITIONAL(Rev::Second, !d.name.empty(), either);
  REVCTL_ADD(Rev::Second, luck);
  REVCTL_ADD(Rev::Second, effect);
  REVCTL_CHECK_INTEGRITY(Rev::Initial);
  if (r.IsReading() && hp < 0) r.Fail("dead");
}
REVCTL_SERIALIZE_END

int failures = 0;
void Expect(bool condition, const char* what) {
  if (condition) return;
  ++failures;
  std::fprintf(stderr, "failed: %s\n", what);
}

/// Checks that objects keep their class without RTTI, relying only on the function that returns the
/// class name. Also checks that two classes with the same name are detected.
bool Hooked() {
  std::vector<std::unique_ptr<Node>> nodes, back;
  nodes.push_back(std::make_unique<Door>());
  nodes.push_back(std::make_unique<Lamp>());
  std::vector<std::byte> bytes;
  if (!revctl::Save(Rev::Latest, nodes, bytes) || !revctl::Load(bytes, back, Rev::Latest))
    return false;
  if (back.size() != 2 || back[0]->Kind() != 2 || static_cast<Lamp&>(*back[1]).light != 4)
    return false;
  nodes.push_back(std::make_unique<Node>());
  if (revctl::Save(Rev::Latest, nodes, bytes)) return false;
  nodes.pop_back();
  if (revctl::RegisterClass<Node, Lamp>("lamp") || !revctl::Save(Rev::Latest, nodes, bytes))
    return false;
  if (revctl::RegisterClass<Node, Door>("lamp")) return false;
  return revctl::Save(Rev::Latest, nodes, bytes).message().find("registered twice") !=
             std::string::npos &&
         revctl::Load(bytes, back, Rev::Latest).message().find("registered twice") !=
             std::string::npos;
}

}  // namespace

bool EveryMacro();  // bare_macros.cpp

int main() {
  Expect(EveryMacro(), "macros with long names");
  const Player player;
  std::vector<std::byte> bytes;
  Expect(revctl::Save(Rev::Latest, player, bytes).Ok(), "saved");
  Player back;
  back.effect.reset();
  Expect(revctl::Load(bytes, back, Rev::Latest).Ok(), "loaded");
  Expect(revctl::Differences(player, back, Rev::Latest).empty(), "round trip");
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    Expect(!revctl::Load(std::span(bytes).first(n), back, Rev::Latest).Ok(),
           "truncated files are errors");
  }
  const std::string text = revctl::ToJson(player, Rev::Latest);
  revctl::JsonReader json(text, Rev::Latest);
  Player from_json;
  Serialize(json, from_json);
  Expect(json.Ok() && revctl::ToJson(from_json, Rev::Latest) == text, "round trip through JSON");
  revctl::Filler filler(Rev::Latest, 0);
  revctl::LayoutArchive layouts(filler);
  Serialize(layouts, from_json);
  Expect(layouts.Ok() && layouts.Types().size() == 3, "layouts");
  Expect(Hooked(), "classes that a free function names");
  return failures == 0 ? 0 : 1;
}
