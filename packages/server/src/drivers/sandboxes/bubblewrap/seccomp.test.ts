import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Machine, seccompFilter } from './seccomp.ts';
import { absentCalls, checkedCalls, refusedCalls } from './syscalls.ts';

const arches = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const machines: Machine[] = ['x64', 'arm64'];
const [allow, EPERM, ENOSYS, EAFNOSUPPORT] = [0x7fff0000, 0x00050001, 0x00050026, 0x00050061];

/** Runs the filter as the kernel would, with the few instructions that it consists of. */
function decide(
  machine: Machine,
  number: number,
  args: readonly number[] = [],
  arch: number = arches[machine],
): number {
  const filter = seccompFilter(machine);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(arch, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value >>> 0, 16 + index * 8);
  let accumulator = 0;
  for (let at = 0; at * 8 < filter.length; at++) {
    const [code, k] = [filter.readUInt16LE(at * 8), filter.readUInt32LE(at * 8 + 4)];
    const jump = (taken: boolean) => filter.readUInt8(at * 8 + (taken ? 2 : 3));
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else if (code === 0x54) accumulator = (accumulator & k) >>> 0;
    else if (code === 0x15) at += jump(accumulator === k);
    else if (code === 0x45) at += jump((accumulator & k) !== 0);
    else if (code === 0x06) return k;
    else assert.fail(`an instruction that no filter of ours has: ${code}`);
  }
  return assert.fail('the filter ends without a decision');
}

const numberOf = (machine: Machine, name: keyof typeof checkedCalls) =>
  checkedCalls[name][machine === 'x64' ? 0 : 1] ?? -1;

for (const machine of machines) {
  const column = machine === 'x64' ? 0 : 1;

  test(`${machine}: dangerous calls are refused, newer ones are said not to exist`, () => {
    for (const [name, numbers] of Object.entries(refusedCalls))
      if (numbers[column] !== null) assert.equal(decide(machine, numbers[column] as number), EPERM, name);
    for (const [name, numbers] of Object.entries(absentCalls))
      assert.equal(decide(machine, numbers[column] as number), ENOSYS, name);
  });

  test(`${machine}: no number stands for two calls`, () => {
    const numbers = [refusedCalls, absentCalls, checkedCalls].flatMap((calls) =>
      Object.values(calls).flatMap((each) => each[column] ?? []),
    );
    assert.equal(new Set(numbers).size, numbers.length);
  });

  test(`${machine}: calls that programs live on are allowed`, () => {
    const everyday = { x64: [0, 1, 3, 9, 39, 59, 60, 202, 231], arm64: [63, 64, 57, 222, 172, 221, 93, 98, 94] }[
      machine
    ];
    for (const number of everyday) assert.equal(decide(machine, number), allow, String(number));
  });

  test(`${machine}: only the sockets of this machine and the internet can be made`, () => {
    for (let family = 0; family < 64; family++) {
      const known = [1, 2, 10].includes(family);
      assert.equal(
        decide(machine, numberOf(machine, 'socket'), [family]),
        known ? allow : EAFNOSUPPORT,
        String(family),
      );
    }
  });

  test(`${machine}: no namespaces by clone, no setuid bits, no hiding, no typing into terminals`, () => {
    const [clone, openat, fchmod, prctl, ioctl] = (['clone', 'openat', 'fchmod', 'prctl', 'ioctl'] as const).map(
      (name) => numberOf(machine, name),
    ) as [number, number, number, number, number];
    for (const flag of [0x10000000, 0x20000, 0x40000000, 0x20000000, 0x08000000, 0x04000000, 0x02000000])
      assert.equal(decide(machine, clone, [flag | 17]), EPERM);
    assert.equal(decide(machine, clone, [0x003d0f00]), allow);
    assert.equal(decide(machine, fchmod, [3, 0o4755]), EPERM);
    assert.equal(decide(machine, fchmod, [3, 0o755]), allow);
    assert.equal(decide(machine, openat, [0, 0, 0o101, 0o4755]), EPERM);
    assert.equal(decide(machine, openat, [0, 0, 0o20200001, 0o4755]), EPERM);
    assert.equal(decide(machine, openat, [0, 0, 0o101, 0o644]), allow);
    // Without O_CREAT the register of the mode holds an arbitrary value.
    assert.equal(decide(machine, openat, [0, 0, 0, 0xffffffff]), allow);
    assert.deepEqual([decide(machine, prctl, [4]), decide(machine, prctl, [15])], [EPERM, allow]);
    assert.deepEqual([decide(machine, ioctl, [0, 0x5412]), decide(machine, ioctl, [0, 0x5413])], [EPERM, allow]);
  });

  test(`${machine}: every call with every argument gets a decision, and one of another machine none but no`, () => {
    fc.assert(
      fc.property(fc.nat(600), fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (number, args) => {
        assert.ok([allow, EPERM, ENOSYS, EAFNOSUPPORT].includes(decide(machine, number, args)));
        assert.equal(decide(machine, number, args, 0x40000003), ENOSYS);
      }),
    );
  });
}

test('the x32 system calls of x86-64 do not exist', () => {
  for (const number of [0, 39, 321]) assert.equal(decide('x64', number | 0x40000000), ENOSYS);
});
