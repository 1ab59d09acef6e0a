import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const runRoutes = laterRoutes('/runs', t.shell.runs);
