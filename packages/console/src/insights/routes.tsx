import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const insightRoutes = laterRoutes('/insights', t.shell.insights);
