import { sayNumber } from '../lib/numbers.ts';

/** Words of the components. */
export const ui = {
  close: 'Close',
  dismiss: 'Dismiss',
  keepIt: 'Keep it',
  cancel: 'Cancel',
  save: 'Save',
  remove: 'Remove',
  delete: 'Delete',
  copy: 'Copy',
  copied: 'Copied',
  back: 'Back',
  backTo: (list: string) => `Back to ${list}`,
  file: {
    rows: (count: number) => (count === 1 ? '1 row' : `${sayNumber(count)} rows`),
    firstRows: (count: string) => `The first ${count} rows. Download the file to see all of it.`,
  },
  more: 'More',
  filters: 'Filters',
  filtersSet: (count: number) => `Filters: ${count} set`,
  showFiltered: 'Show the list',
  tryAgain: 'Try again',
  loading: 'Loading',
  loadMore: 'Show more',
  takesLong: 'This takes longer than usual.',
  notices: 'Notices',
  noMatch: 'Nothing fits.',
  clearFilters: 'Clear the filters',
  search: 'Find',
  next: 'Next in the list',
  previous: 'Previous in the list',
  guide: (page: string) => `Guide: ${page}`,
  before: 'before',
  after: 'now',
  storedIt: 'I have stored it',
  cantCopy: 'The browser does not allow copying here. Mark the text and copy it by hand.',
  showPassword: 'Show what is typed',
  hidePassword: 'Hide what is typed',
  unsaved: {
    question: 'Your changes here are not saved.',
    keep: 'Go on editing',
    discard: 'Discard changes',
  },
} as const;

/** What failed, and what to do. */
export const failures = {
  offline: { title: 'The server can’t be reached', help: 'Nothing was changed. Check the network, then try again.' },
  signedOut: { title: 'You are signed out', help: 'Sign in again; what you typed is kept.' },
  forbidden: { title: 'You may not do this', help: 'An administrator of the workspace can give you the permission.' },
  gone: { title: 'This is not here any more', help: 'It was deleted, or you may not see it.' },
  conflict: {
    title: 'Somebody changed this meanwhile',
    help: 'Nothing was overwritten. Look at the newer version first.',
  },
  invalid: { title: 'Some of this can’t be stored', help: 'The faults are shown at their fields.' },
  busy: { title: 'The server has too much to do', help: 'Try again in a moment.' },
  broken: {
    title: 'Something failed on the server',
    help: 'Nothing was changed. Try again; if it stays, tell an administrator the number below.',
  },
  unknown: { title: 'Something failed in this page', help: 'Reload the page; what you typed is kept.' },
} as const;
