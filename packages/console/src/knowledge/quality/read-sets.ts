export interface Question {
  query: string;
  /** The documents that answer it. Their names are not kept here: not everybody may see them. */
  document_ids: string[];
}
export interface QuestionSet {
  id: string;
  name: string;
  questions: Question[];
}

/** The key in the knowledge base's own data under which the sets are stored, for everybody who works on it. */
export const place = 'question_sets';

const isQuestion = (value: unknown): value is Question => {
  const { query, document_ids } = (value ?? {}) as Partial<Question>;
  return typeof query === 'string' && Array.isArray(document_ids) && document_ids.every((id) => typeof id === 'string');
};

/** The sets of a knowledge base. Other clients write to the same data: what is no set is passed over. */
export function readSets(meta: Readonly<Record<string, unknown>>): QuestionSet[] {
  const stored = meta[place];
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((value: unknown) => {
    const { id, name, questions } = (value ?? {}) as Partial<QuestionSet>;
    if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(questions)) return [];
    return { id, name, questions: questions.filter(isQuestion) };
  });
}
