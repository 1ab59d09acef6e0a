import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectiveAddress, isPublic } from './address-rules.ts';
import { makeAllowList } from './allow-list.ts';

const passes = (text: string) => {
  const address = effectiveAddress(text);
  return address !== undefined && isPublic(address);
};

const refused = `
  0.0.0.0 0.1.2.3 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1
  127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1
  192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::2 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::FFFF:10.0.0.1 ::ffff:0:127.0.0.1
  0:0:0:0:0:ffff:c0a8:0001 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1 64:ff9b:1::808:808 100::1 100:0:0:1::1
  2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 3ffe::1
  4000::1 5f00::1 fc00::1 fd00::1 fd00:ec2::254 fd20:ce::254 fe80::1 fe80::1%lo febf::1 fec0::1 ff02::1 ff0e::1
  2606:4700::1111%eth0 127.1 2130706433 0x7f000001 0177.0.0.1 1.2.3 localhost 1.2.3.4.5 ::ffff:1.2.3`;

test('private, reserved and misspelled addresses are not public', () => {
  for (const address of refused.trim().split(/\s+/)) assert.equal(passes(address), false, address);
});

test('a text that is no address is not public', () => {
  for (const text of ['', ' ', '8.8.8.8 ', ' 8.8.8.8', '8.8.8.8\n', '[2606:4700::1111]', '８.8.8.8'])
    assert.equal(passes(text), false, JSON.stringify(text));
});

test('public addresses are public, also mapped into IPv6', () => {
  for (const address of `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
    168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0
    198.17.255.255 198.20.0.0 223.255.255.255 2000::1 2001:200::1 2001:4860:4860::8888 2606:4700:4700::1111 2a00::1
    ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::808:808`.split(/\s+/))
    assert.equal(passes(address), true, address);
});

const byte = fc.integer({ min: 0, max: 255 });
const privates = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);

test('a private IPv4 address is private in every IPv6 spelling', () => {
  const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
  fc.assert(
    fc.property(privates, fc.boolean(), ([a, b, c, d], upper) => {
      const [groups, dots] = [`${hex(a, b)}:${hex(c, d)}`, `${a}.${b}.${c}.${d}`];
      const spellings = [`::ffff:${groups}`, `::ffff:${dots}`, `0:0:0:0:0:ffff:${groups}`, `::${groups}`, `::${dots}`];
      spellings.push(`64:ff9b::${groups}`, `64:ff9b::${dots}`, `2002:${groups}::`, `2002:${groups}::1`, dots);
      spellings.push(`0064:ff9b:0:0:0:0:${groups}`, `2001:0:${groups}::`);
      for (const text of spellings) assert.equal(passes(upper ? text.toUpperCase() : text), false, text);
    }),
  );
});

test('only IPv6 addresses of 2000::/3 and two mappings of IPv4 can be public', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const first = groups[0] as number;
      const text = groups.map((part) => part.toString(16)).join(':');
      if ((first >= 0x2000 && first < 0x4000) || /^(0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/.test(text)) return;
      assert.equal(passes(text), false);
    }),
  );
});

test('allows the hosts, addresses and blocks of the operator, and only these', () => {
  const allow = makeAllowList(['Wiki.Corp', ' 10.1.0.0/16', '192.168.0.7', 'fd00:1::/32', 'fd00:2::5']);
  for (const host of ['wiki.corp', 'WIKI.corp.', 'wiki.corp.']) assert.ok(allow.host(host), host);
  for (const host of ['a.wiki.corp', 'corp', 'wiki.corp.evil.test', '10.1.0.1']) assert.ok(!allow.host(host), host);
  const has = (text: string) => {
    const address = effectiveAddress(text);
    return address !== undefined && allow.address(address);
  };
  for (const text of ['10.1.2.3', '192.168.0.7', 'fd00:1::9', 'fd00:2::5', '::ffff:10.1.2.3'])
    assert.ok(has(text), text);
  for (const text of ['10.2.0.1', '192.168.0.8', 'fd00:2::6', '127.0.0.1', '::1']) assert.ok(!has(text), text);
});

test('an allow-list with an entry that is neither a name nor a network is refused', () => {
  for (const entry of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '127.1',
    'http://wiki',
    'a b',
    'fd00::/129',
    '*',
    'x:80',
  ])
    assert.throws(() => makeAllowList([entry]), /allowed addresses/, entry);
});
