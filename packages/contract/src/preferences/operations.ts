import { operation } from '../operation.ts';
import { preferencesRoutes } from './routes.ts';
import { preferences } from './schema.ts';

const tag = 'Sign-in';

export const getPreferences = operation({
  id: 'preferences.get',
  route: preferencesRoutes['preferences.get'],
  summary: 'Get how you like the interface',
  description: 'Returns the preferences of the person who is signed in, with the defaults for what was never set.',
  tag,
  permission: 'session',
  versioned: true,
  answer: preferences,
});

export const setPreferences = operation({
  id: 'preferences.set',
  route: preferencesRoutes['preferences.set'],
  summary: 'Set how you like the interface',
  description: 'Replaces all preferences of the person who is signed in; what is left out has its default again.',
  tag,
  permission: 'session',
  body: preferences,
  example: { theme: 'dark', density: 'compact', time_zone: 'Europe/Paris' },
  versioned: true,
  answer: preferences,
});

export const preferencesOperations = [getPreferences, setPreferences];
