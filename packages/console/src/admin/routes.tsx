import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const adminRoutes = laterRoutes('/admin', t.shell.admin);
