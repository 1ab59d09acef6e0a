import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingKeys } from '@atrium/contract/settings/settings.ts';
import { requirePermissions } from './settings-authority.ts';

const refusalOf = (...missing: [string, string[]][]) => {
  try {
    requirePermissions(new Map(missing) as never);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test('names each key with its missing permissions, and the change that is allowed without them', () => {
  const plain = Object.entries(settingKeys).find(([, { stricter }]) => !stricter)?.[0] ?? '';
  const { stricter } = settingKeys.jailbreak;
  assert.equal(
    refusalOf([plain, ['agents_edit', 'kbs_query']], ['languages', []], ['jailbreak', ['agents_edit']]),
    `Not allowed with these permissions: ${plain} needs agents_edit and kbs_query; ` +
      `jailbreak needs agents_edit (allowed without it: ${stricter?.direction})`,
  );
  assert.equal(refusalOf(['languages', []]), undefined);
});
