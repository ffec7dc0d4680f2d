// A controller. The class has no default constructor, because a controller needs its port.
#pragma once
#include "save_version.h"
#include "state_wrapper.h"

class Controller {
 public:
  explicit Controller(u32 port) : m_port(port) {}
  virtual ~Controller() = default;
  virtual bool DoState(StateWrapper& sw) = 0;

 protected:
  u32 m_port;
};

class AnalogPad : public Controller {
 public:
  explicit AnalogPad(u32 port) : Controller(port) {}

  void Reset() {
    m_buttons = 0xFFFF;
    m_sticks[0] = m_sticks[1] = 0x80;
    m_motors[0] = m_motors[1] = 0;
    m_analog = m_locked = false;
    m_command = m_step = 0;
    m_polls = 0;
  }

  void Poll(u32 tick) {
    m_buttons = static_cast<u16>(~tick);
    m_sticks[tick % 2] = static_cast<u8>(tick);
    m_motors[tick % 2] = static_cast<u8>(tick / 2);
    m_analog = m_locked = tick % 2 == 1;
    m_command = 0x42;
    m_step = static_cast<u8>(++m_polls);
  }

  bool DoState(StateWrapper& sw) override {
    sw.Do(&m_buttons);
    sw.Do(&m_sticks);
    if (sw.GetVersion() >= 18) {
      sw.Do(&m_motors);
    } else {
      m_motors[0] = m_motors[1] = 0;
    }
    sw.DoEx(&m_analog, SR_PAD_TYPE, true);
    sw.DoEx(&m_locked, SR_PAD_LOCK, false);
    sw.DoEx(&m_command, SR_PAD_COMMAND, u8{0});
    sw.DoEx(&m_step, SR_PAD_STEP, u8{0x5A});
    return !sw.HasError();
  }

 private:
  friend struct Pad;  // gives the harness access to the members

  u16 m_buttons = 0xFFFF;
  u8 m_sticks[2] = {0x80, 0x80};
  u8 m_motors[2] = {};
  bool m_analog = false, m_locked = false;
  u8 m_command = 0, m_step = 0;
  u32 m_polls = 0;  // counts since the program began; not saved
};
