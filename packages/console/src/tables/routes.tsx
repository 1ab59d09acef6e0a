import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const tableRoutes = laterRoutes('/tables', t.shell.tables);
