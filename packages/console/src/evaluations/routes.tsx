import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const evaluationRoutes = laterRoutes('/evaluations', t.shell.evaluations);
