// Linked into the thread sanitizer's builds on Linux. There a contended Synchronization.Mutex is taken and given up
// inside libswiftSynchronization.so, which isn't compiled for the sanitizer: it never learns that the lock changed
// hands, and reports a race between any two threads that waited for each other. These two functions stand in front
// of the library's own and tell it. Real races are still found: nothing is suppressed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow(): what the inlined lock and unlock
// of a Mutex call when another thread wants it too.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// How Swift calls a method: self is in a register of its own.
#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context)) void *

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT_CALL void lockSlow(uint32_t thread, SWIFT_SELF mutex) __asm__(LOCK_SLOW);
SWIFT_CALL void unlockSlow(SWIFT_SELF mutex) __asm__(UNLOCK_SLOW);

SWIFT_CALL void lockSlow(uint32_t thread, SWIFT_SELF mutex) {
    SWIFT_CALL void (*original)(uint32_t, SWIFT_SELF) = dlsym(RTLD_NEXT, LOCK_SLOW);
    original(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT_CALL void unlockSlow(SWIFT_SELF mutex) {
    SWIFT_CALL void (*original)(SWIFT_SELF) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    __tsan_release(mutex);
    original(mutex);
}
