import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** Reaches a control by Tab alone, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator, most = 120): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  assert.fail(`Tab does not lead to ${target}`);
}
