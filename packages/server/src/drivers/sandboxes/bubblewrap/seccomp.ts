import { absentCalls, checkedCalls, refusedCalls } from './syscalls.ts';

type Instruction = readonly [code: number, jt: number, jf: number, k: number];

// The few opcodes of classic BPF that are needed.
const [load, equal, anyBit, answer, and] = [0x20, 0x15, 0x45, 0x06, 0x54];
const allow = 0x7fff0000;
const error = (errno: number) => 0x00050000 | errno;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];

/** Offsets in `struct seccomp_data`; of an argument the lower half, since both architectures are little-endian. */
const [numberAt, archAt] = [0, 4];
const argumentAt = (index: number) => 16 + index * 8;

const machines = {
  x64: { column: 0, arch: 0xc000003e, x32: true },
  arm64: { column: 1, arch: 0xc00000b7, x32: false },
} as const;

export type Machine = keyof typeof machines;
export const isMachine = (name: string): name is Machine => name in machines;

// Namespaces of every kind.
const newNamespaces = 0x7e020000;
const setUserOrGroupId = 0o6000;
// O_CREAT, and O_TMPFILE, whose file can be given a name later.
const openCreates = 0o100 | 0o20000000;
const [unix, internet4, internet6] = [1, 2, 10];
// The ioctls that type into, or draw on, the terminal.
const [terminalInput, terminalLinux] = [0x5412, 0x541c];
const setDumpable = 4;

const ret = (k: number): Instruction => [answer, 0, 0, k];

/** Refused when an argument has any of these bits. */
const refuseBits = (index: number, bits: number): Instruction[] => [
  [load, 0, 0, argumentAt(index)],
  [anyBit, 0, 1, bits],
  ret(error(EPERM)),
  ret(allow),
];

/** Allowed only with one of these values. */
const onlyValues = (index: number, values: readonly number[], otherwise: number): Instruction[] => [
  [load, 0, 0, argumentAt(index)],
  ...values.flatMap((value): Instruction[] => [[equal, 0, 1, value], ret(allow)]),
  ret(error(otherwise)),
];

const neverValues = (index: number, values: readonly number[]): Instruction[] => [
  [load, 0, 0, argumentAt(index)],
  ...values.flatMap((value): Instruction[] => [[equal, 0, 1, value], ret(error(EPERM))]),
  ret(allow),
];

/** The mode counts only when a file is created. */
const creating = (flags: number, mode: number): Instruction[] => [
  [load, 0, 0, argumentAt(flags)],
  [and, 0, 0, openCreates],
  [equal, 0, 1, 0],
  ret(allow),
  ...refuseBits(mode, setUserOrGroupId),
];

const checks: Record<keyof typeof checkedCalls, Instruction[]> = {
  clone: refuseBits(0, newNamespaces),
  socket: onlyValues(0, [unix, internet4, internet6], EAFNOSUPPORT),
  socketpair: onlyValues(0, [unix], EAFNOSUPPORT),
  personality: onlyValues(0, [0, 0xffffffff], EPERM),
  // A process that can't be dumped hides its resource usage.
  prctl: neverValues(0, [setDumpable]),
  ioctl: neverValues(1, [terminalInput, terminalLinux]),
  open: creating(1, 2),
  openat: creating(2, 3),
  creat: refuseBits(1, setUserOrGroupId),
  chmod: refuseBits(1, setUserOrGroupId),
  fchmod: refuseBits(1, setUserOrGroupId),
  fchmodat: refuseBits(2, setUserOrGroupId),
};

/** When the call has this number, these instructions decide. */
const onCall = (number: number | null, body: Instruction[]): Instruction[] =>
  number === null ? [] : [[equal, 0, body.length, number], ...body];

/**
 * The filter that bubblewrap loads before it starts the program, in the kernel's format. It never kills: a program that
 * probes for a call goes on without it.
 */
export function seccompFilter(machine: Machine): Buffer {
  const { column, arch, x32 } = machines[machine];
  const instructions: Instruction[] = [
    [load, 0, 0, archAt],
    [equal, 1, 0, arch],
    ret(error(ENOSYS)),
    [load, 0, 0, numberAt],
    // The x32 numbers that x86-64 has for the same calls.
    ...(x32 ? ([[anyBit, 0, 1, 0x40000000], ret(error(ENOSYS))] as Instruction[]) : []),
    ...Object.values(refusedCalls).flatMap((numbers) => onCall(numbers[column], [ret(error(EPERM))])),
    ...Object.values(absentCalls).flatMap((numbers) => onCall(numbers[column], [ret(error(ENOSYS))])),
    ...Object.entries(checks).flatMap(([name, body]) =>
      onCall(checkedCalls[name as keyof typeof checkedCalls][column], body),
    ),
    ret(allow),
  ];
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, jt, jf, k], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  });
  return bytes;
}
