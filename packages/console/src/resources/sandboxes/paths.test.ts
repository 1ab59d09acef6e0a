import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderChange, lastPart, parentOf, relativeTo } from './paths.ts';

test('takes a line for a change of the folder only when it is nothing else', () => {
  assert.equal(folderChange('cd data'), 'data');
  assert.equal(folderChange('  cd "my data" '), 'my data');
  assert.equal(folderChange("cd 'it is'"), 'it is');
  assert.equal(folderChange('cd'), '~');
  for (const line of ['cd a && ls', 'cd $HOME', 'cd `pwd`', 'echo cd', 'cd a; rm b', 'cd *'])
    assert.equal(folderChange(line), undefined);
});

test('places folders below the working directory and none outside of it', () => {
  assert.equal(relativeTo('/work', '/work'), '');
  assert.equal(relativeTo('/work', '/work/data/in'), 'data/in');
  assert.equal(relativeTo('/work', '/workshop'), undefined);
  assert.equal(parentOf('data/in'), 'data');
  assert.equal(parentOf('data'), '');
  assert.equal(lastPart('data/in.csv'), 'in.csv');
});
