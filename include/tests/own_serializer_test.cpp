// Tests that REVCTL_STATE saves the values of static variables, and that the harness notices if a
// variable is missing from the list.
#include <catch2/catch.hpp>

#include <revctl/own_serializer.h>

namespace device {
namespace {

enum Version { V_BEGIN = 1, V_QUEUE = 2, V_LATEST = V_QUEUE };

union Register {
  std::uint32_t bits;
  struct {
    std::uint32_t ready : 1, busy : 31;
  } parts;
};

/// A queue of at most four bytes, oldest first.
class Queue {
 public:
  void Clear() { count_ = 0; }
  void Push(std::uint8_t value) {
    if (count_ < 4) values_[count_++] = value;
  }
  std::size_t Count() const { return count_; }
  std::uint8_t At(std::size_t i) const { return values_[i]; }

 private:
  std::uint8_t values_[4] = {};
  std::size_t count_ = 0;
};

struct Slot {
  Register control;
  std::uint16_t size;
};

struct Lamp {
  std::uint8_t on;
};

Register s_status{};
Lamp s_lamp{1};
Slot s_slots[2] = {};
Queue s_queue;
std::uint8_t s_names[3] = {};
std::uint32_t s_forgotten = 7;

}  // namespace

class Port {
 public:
  explicit Port(int number) : number_(number) {}
  int Number() const { return number_; }

 private:
  friend struct PortState;
  int number_;
};
static Port s_port(3);

namespace {

/// A stream that only counts the bytes that it receives. `ok` is the result of DoState().
struct Stream {
  std::size_t size = 0;
  bool ok = true;
};

bool DoState(Stream& stream) { return stream.ok; }
void DoPort(Stream& stream) { stream.size += 4; }

}  // namespace
}  // namespace device

template <>
struct revctl::StateOf<device::Queue> {
  using Type = std::vector<std::uint8_t>;
  static void Get(const device::Queue& queue, Type& values) {
    values.clear();
    for (std::size_t i = 0; i < queue.Count(); ++i) values.push_back(queue.At(i));
  }
  static void Put(const Type& values, device::Queue& queue) {
    queue.Clear();
    for (const std::uint8_t value : values) queue.Push(value);
  }
};

#define SLOT_STATE(X)                       \
  X(device::V_BEGIN, control, control.bits) \
  X(device::V_BEGIN, size, size)
REVCTL_STATE_OF(SlotState, device::Slot, SLOT_STATE);

#define DEVICE_STATE(X)                             \
  X(device::V_BEGIN, status, device::s_status.bits) \
  X(device::V_BEGIN, slots, device::s_slots)        \
  X(device::V_QUEUE, queue, device::s_queue)        \
  X(device::V_BEGIN, names, device::s_names)
REVCTL_STATE(DeviceState, device::DoState, DEVICE_STATE);

#define LAMP_STATE(X)                                                    \
  X((device::V_BEGIN, device::V_QUEUE), color, std::array<int, 2>{7, 8}) \
  X(device::V_BEGIN, on, on)
REVCTL_STATE_OF(LampState, device::Lamp, LAMP_STATE);

#define PANEL_STATE(X)                     \
  X(device::V_BEGIN, lamp, device::s_lamp) \
  X((device::V_BEGIN, device::V_QUEUE), dimmer, std::uint16_t{5})
REVCTL_STATE(PanelState, device::DoState, PANEL_STATE);

namespace device {
#define PORT_STATE(X) X(V_BEGIN, number, s_port.number_)
REVCTL_STATE(PortState, DoPort, PORT_STATE);
}  // namespace device

template <>
inline constexpr int revctl::kUnlistedBytes<device::PortState> = 2;

namespace {

TEST_CASE("own serializer: values are put into static variables and read back", "[own]") {
  DeviceState values;
  values.status = 0x80000001;
  values.slots[1].control = 5;
  values.slots[1].size = 600;
  values.queue = {1, 2, 3};
  values.names = {7, 8, 9};
  values.Put();
  CHECK(device::s_status.parts.ready == 1);
  CHECK(device::s_slots[1].control.bits == 5);
  CHECK(device::s_queue.Count() == 3);
  DeviceState again;
  again.Get();
  CHECK(again.status == values.status);
  CHECK(again.slots[1].size == 600);
  CHECK(again.queue == values.queue);
  CHECK(again.names == values.names);
  // The queue keeps only as many of the sample values as it can hold.
  values.queue = {1, 2, 3, 4, 5, 6};
  values.Put();
  again.Get();
  CHECK(again.queue == std::vector<std::uint8_t>{1, 2, 3, 4});
  CHECK(device::s_forgotten == 7);
}

TEST_CASE("own serializer: classes without default constructor, functions that return nothing",
          "[own]") {
  device::PortState port;
  port.Get();
  CHECK(port.number == 3);
  port.number = 9;
  port.Put();
  CHECK(device::s_port.Number() == 9);
  device::Stream stream;
  CHECK(device::PortState::DoState(stream));
  CHECK(stream.size == 4);
  stream.ok = false;
  CHECK_FALSE(DeviceState::DoState(stream));
}

}  // namespace

struct VoiceState;
namespace {

/// A class with private members, which the program keeps in its own kinds of lists.
class Voice {
 public:
  Voice() = default;
  explicit Voice(int volume) : volume_(volume) {}
  int volume() const { return volume_; }

 private:
  friend struct ::VoiceState;
  int volume_ = 0;
};
std::deque<std::int16_t> s_samples;
std::vector<Voice> s_voices;

}  // namespace

#define VOICE_STATE(X) X(device::V_BEGIN, volume, volume_)
REVCTL_STATE_OF(VoiceState, Voice, VOICE_STATE);

namespace {

TEST_CASE("own serializer: lists and classes with private members", "[own]") {
  using Samples = revctl::StateOf<decltype(s_samples)>;
  s_samples = {-1, 2};
  Samples::Type samples;
  Samples::Get(s_samples, samples);
  CHECK(samples == std::vector<std::int16_t>{-1, 2});
  Samples::Put({5}, s_samples);
  CHECK(s_samples == std::deque<std::int16_t>{5});

  using Voices = revctl::StateOf<decltype(s_voices)>;
  s_voices.assign(2, Voice(7));
  Voices::Type voices;
  Voices::Get(s_voices, voices);
  REQUIRE(voices.size() == 2);
  CHECK(voices[1].volume == 7);
  voices[1].volume = 8;
  Voices::Put(voices, s_voices);
  CHECK(s_voices[1].volume() == 8);
}

TEST_CASE("own serializer: memory is a single value", "[own]") {
  using Ram = std::array<std::uint8_t, 64>;
  Ram ram{};
  ram[63] = 1;
  std::string text;
  revctl::MemoryState<Ram>::Get(ram, text);
  CHECK(text == std::string(63, '\0') + '\1');
  revctl::MemoryState<Ram>::Put("ab", ram);
  CHECK(int{ram[0]} == 'a');
  CHECK(int{ram[2]} == 0);
  CHECK(int{ram[63]} == 0);
}

TEST_CASE("own serializer: only older files contain a removed member", "[own]") {
  PanelState values;
  values.Get();
  CHECK(values.lamp.on == 1);
  values.Put();
  revctl::Writer before(device::V_BEGIN), after(device::V_QUEUE);
  revctl::Serialize(before, values);
  revctl::Serialize(after, values);
  const auto text = [](const revctl::Writer& writer) {
    std::string out;
    for (const std::byte byte : writer.Bytes()) out += std::to_string(std::to_integer<int>(byte));
    return out;
  };
  CHECK(text(before) == "70008000150");
  CHECK(text(after) == "1");
  CHECK(revctl::CountedOutcome(values, device::V_BEGIN, 11).ok);
  CHECK(revctl::CountedOutcome(values, device::V_QUEUE, 1).ok);
}

TEST_CASE("own serializer: the number of saved bytes must match the listed values", "[own]") {
  DeviceState values;
  values.queue = {1, 2};
  const std::size_t old_size = 4 + 2 * (4 + 2) + 3, size = old_size + 4 + 2;
  CHECK(revctl::CountedOutcome(values, device::V_BEGIN, old_size).ok);
  CHECK(revctl::CountedOutcome(values, device::V_QUEUE, size).ok);
  const auto more = revctl::CountedOutcome(values, device::V_QUEUE, size + 4);
  CHECK_FALSE(more.ok);
  CHECK(more.reason ==
        "the program saves 29 bytes, but the listed values take 25: list the missing member, "
        "or count constants in revctl::kUnlistedBytes");
  const auto less = revctl::CountedOutcome(values, device::V_QUEUE, size - 3);
  CHECK_FALSE(less.ok);
  CHECK(less.reason ==
        "the program saves 22 bytes, but the listed values take 25: a listed member is not saved "
        "at this version, or a length takes fewer than 4 bytes: count it in "
        "revctl::kUnlistedBytes");
  CHECK(revctl::CountedOutcome(device::PortState(), device::V_BEGIN, 6).ok);
  CHECK_FALSE(revctl::CountedOutcome(device::PortState(), device::V_BEGIN, 4).ok);
}

}  // namespace
