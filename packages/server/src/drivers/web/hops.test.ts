import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstHop, locationOf, nextHop } from './hops.ts';

const hop = (method: string) => firstHop('https://a.example/', { method: method as 'GET', body: 'x' });
const methodAfter = (status: number, method: string) => nextHop(hop(method), status, '/next').method;

test('goes on as browsers do: by GET after 303, and after 301 and 302 of a POST', () => {
  const table = [301, 302, 303, 307, 308].map((status) =>
    ['GET', 'HEAD', 'POST', 'PUT'].map((method) => methodAfter(status, method)).join(' '),
  );
  assert.deepEqual(table, [
    ...['GET HEAD GET PUT', 'GET HEAD GET PUT', 'GET HEAD GET GET'],
    ...['GET HEAD POST PUT', 'GET HEAD POST PUT'],
  ]);
});

test('sends the body again only with the same method to the same origin', () => {
  const bodyAfter = (status: number, location: string) => nextHop(hop('POST'), status, location).body?.toString();
  assert.equal(bodyAfter(307, '/next'), 'x');
  assert.equal(bodyAfter(303, '/next'), undefined);
  assert.equal(bodyAfter(307, 'https://b.example/'), undefined);
});

test('follows the five statuses of a redirect', () => {
  const followed = [300, 301, 302, 303, 304, 305, 306, 307, 308, 309].filter((status) => locationOf(status, '/'));
  assert.deepEqual(followed, [301, 302, 303, 307, 308]);
});
