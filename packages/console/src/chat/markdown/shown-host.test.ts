import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownHost } from './shown-host.ts';

const of = (href: string, text: string) => shownHost(href, text, 'https://atrium.example');

test('names the host of a link to another server', () => {
  assert.equal(of('https://docs.example/a?b=1', 'the manual'), 'docs.example');
  assert.equal(of('//evil.example:8443/x', 'your account'), 'evil.example:8443');
  assert.equal(of('https://atrium.example@evil.example/x', 'here'), 'evil.example');
});

test('names the host of a link whose text is the address of another server', () => {
  assert.equal(of('https://evil.example/login', 'https://bank.example/login'), 'evil.example');
  assert.equal(of('https://evil.example', 'bank.example'), 'evil.example');
  assert.equal(of('https://evil.example', 'https://evil.example@bank.example'), 'evil.example');
  assert.equal(of('https://evil.example', 'bank.example@evil.example'), 'evil.example');
  assert.equal(of('https://evil.example', 'evil.example/\u202eelpmaxe.knab'), 'evil.example');
  assert.equal(of('https://b\u0430nk.example', 'b\u0430nk'), 'xn--bnk-6cd.example');
});

test('names no host when the text of the link is its address, with or without the protocol', () => {
  assert.equal(of('https://docs.example/a', 'https://docs.example/a'), undefined);
  assert.equal(of('https://docs.example/a/b', ' docs.example/a… '), undefined);
  assert.equal(of('https://docs.example', 'docs.example'), undefined);
});

test('names no host for own paths, mail and addresses that are not followed', () => {
  for (const href of ['/w/1/chat', 'https://atrium.example/w/1', 'mailto:ines@a.example', 'javascript:alert(1)'])
    assert.equal(of(href, 'here'), undefined, href);
});
