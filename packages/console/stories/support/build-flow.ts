import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** A person who builds a workflow with the keyboard alone. */
export function flowKeys(page: Page) {
  const step = (name: string) =>
    page.locator('.react-flow__node').filter({ has: page.getByText(name, { exact: true }).first() });
  const panel = page.getByRole('complementary', { name: /^Step / });
  const dialog = page.getByRole('dialog');
  const focused = (locator: ReturnType<typeof step>) => locator.and(page.locator(':focus')).waitFor();
  /** Escape closes the list of completions first where one is open, then the panel. */
  const leavePanel = async () => {
    for (let presses = 0; presses < 6 && (await panel.isVisible()); presses++) {
      await page.keyboard.press('Escape');
      await page.waitForTimeout(150);
    }
    await panel.waitFor({ state: 'hidden' });
  };
  /** Opens the step that has the focus; the panel takes the focus at its tab. */
  const openStep = async () => {
    await page.keyboard.press('Enter');
    await focused(panel.getByRole('tab', { selected: true }));
  };
  return {
    leavePanel,
    openStep,
    step,
    panel,
    dialog,
    focused,
    /** N, the kind's name, Enter: the new step has the focus. */
    async add(kind: string, name = kind) {
      await page.keyboard.press('n');
      await dialog.getByRole('combobox', { name: 'Find a kind of step' }).waitFor();
      await page.keyboard.insertText(kind);
      await dialog.getByRole('option').first().getByText(kind, { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      await focused(step(name));
    },
    /** Opens the step that has the focus, sets one of its fields, and goes back to the step. */
    async set(name: string, field: string, text: string) {
      await openStep();
      const control = panel.getByRole('textbox', { name: field, exact: true });
      await control.waitFor();
      await control.press('Control+a');
      await page.keyboard.insertText(text);
      await control
        .getByText(text)
        .or(control.filter({ hasText: text }))
        .first()
        .waitFor();
      await leavePanel();
      await focused(step(name));
    },
    /** What the server has of the draft once everything is saved. */
    async saved() {
      await page.locator('[data-save-state="saved"]').waitFor();
    },
    async statusOf(name: string) {
      return step(name).locator('[data-status]').getAttribute('data-status');
    },
    async waitForStatus(name: string, status: string) {
      await step(name).locator(`[data-status="${status}"]`).waitFor();
    },
  };
}

/** The time that 95 of 100 frames stay under. */
export const at95 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? assert.fail('no frames');
