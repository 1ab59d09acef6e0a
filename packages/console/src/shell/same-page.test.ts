import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samePage } from './same-page.ts';

test('keeps the page and its part when the workspace is switched, and drops ids', () => {
  assert.equal(samePage('/w/a/admin/keys', 'b'), '/w/b/admin/keys');
  assert.equal(samePage('/w/a/admin', 'b'), '/w/b/admin');
  assert.equal(samePage('/w/a/resources/files', 'b'), '/w/b/resources/files');
  assert.equal(samePage('/w/a/agents/123/build', 'b'), '/w/b/agents');
  assert.equal(samePage('/w/a/chat/123', 'b'), '/w/b/chat');
  assert.equal(samePage('/help/people', 'b'), '/w/b/chat');
});
