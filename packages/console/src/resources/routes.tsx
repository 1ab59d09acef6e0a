import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const resourceRoutes = laterRoutes('/resources', t.shell.resources);
