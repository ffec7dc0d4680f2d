#pragma once

// Each part of a state has versions of its own: p.Section("Kernel", MIN, LATEST). One of them is the list.
typedef unsigned int u32_le;

enum
{
	SECTION_MAGIC = 0x50505350, // 'PPSP'
	SECTION_REVISION = 5,
};

namespace Gpu
{
	enum Version
	{
		V_FIRST = 1,
		V_VERTEX_CACHE,
		V_MIN = V_FIRST,
		V_LATEST = V_VERTEX_CACHE
	};
}

namespace Kernel
{
	// Versions of the kernel's section. Same names as the GPU's, other numbers.
	enum Version
	{
		V_FIRST = 1,
		V_THREADS = 2,		// Threads save what they are waiting for
		V_MUTEXES,		/* and LwMutexes */
		V_CALLBACKS = Gpu::V_LATEST + 2,
		V_MIN = V_THREADS,
		V_LATEST = V_CALLBACKS,
	};

	inline bool DoState(u32_le version) { return version >= V_MIN && version <= V_LATEST; }
}
