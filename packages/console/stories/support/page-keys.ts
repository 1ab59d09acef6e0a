import type { Locator, Page } from 'playwright-core';

/** A person who goes through the pages with the keyboard alone. */
export function pageKeys(page: Page) {
  return {
    dialog: page.getByRole('dialog'),
    /** Opens an area of the console from the navigation. */
    async goTo(name: string | RegExp) {
      const navigation = page.getByRole('navigation', { name: 'Main' });
      await navigation.getByRole('link', typeof name === 'string' ? { name, exact: true } : { name }).press('Enter');
    },
    /** Shows only the settings of an agent that fit these words. */
    async findSetting(words: string) {
      await page.getByRole('searchbox', { name: 'Find a setting' }).fill(words);
    },
    /** Finds a record by its name and adds it to a field of a form. */
    async addReference(field: string, name: string, within: Page | Locator = page) {
      const control = within.getByRole('combobox', { name: new RegExp(`^(?:Add to )?${field}$`) });
      await control.fill(name);
      await within.getByRole('option', { name }).first().waitFor();
      await control.press('Enter');
      await within.getByText(name, { exact: true }).first().waitFor();
    },
  };
}
