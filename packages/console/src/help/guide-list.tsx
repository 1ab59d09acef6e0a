import { Link } from '@tanstack/react-router';
import { guideSubjects } from '../text/help.ts';

export function GuideList() {
  return (
    <div className="grid gap-x-8 gap-y-6 narrow:grid-cols-2">
      {guideSubjects.map(({ subject, guides }) => (
        <section key={subject} aria-label={subject}>
          <h2 className="mb-1 text-section font-semibold">{subject}</h2>
          <ul className="divide-y divide-line border-y border-line">
            {guides.map(({ key, title, about }) => (
              <li key={key} className="relative py-2 hover:bg-bg">
                <Link
                  to={`/help/${key}` as string}
                  className="text-label font-medium after:absolute after:inset-0 pointer-coarse:leading-8"
                >
                  {title}
                </Link>
                <p className="text-dense text-text-2">{about}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
