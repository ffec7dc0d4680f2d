#pragma once

// Each section of a save has its own versions: p.Section("Kernel", MIN, LATEST). One of these enums is the list.
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
	// Versions of the kernel's section, with the same names as the GPU's, but different numbers.
	enum Version
	{
		V_FIRST = 1,
		V_THREADS = 2,		// threads save the object they wait for
		V_MUTEXES,		/* and LwMutexes */
		V_CALLBACKS = Gpu::V_LATEST + 2,
		V_MIN = V_THREADS,
		V_LATEST = V_CALLBACKS,
	};

	inline bool DoState(u32_le version) { return version >= V_MIN && version <= V_LATEST; }
}
