import type { Language } from './language.ts';

/** What only those read who can add a language model. */
export interface Advice {
  /** To a greeting, and to a question about the agent. */
  aboutModel: string;
  /** To a question without an answer. */
  honest: string;
  unreadable: string;
}

const how = {
  en: 'For free conversation add a language model under Admin → Models, or set OPENAI_API_KEY (OPENAI_BASE_URL for a server of your own) and restart.',
  de: 'Für freie Gespräche fügen Sie unter Admin → Models ein Sprachmodell hinzu, oder setzen Sie OPENAI_API_KEY (OPENAI_BASE_URL für einen eigenen Server) und starten neu.',
  fr: 'Pour une conversation libre, ajoutez un modèle de langage sous Admin → Models, ou définissez OPENAI_API_KEY (OPENAI_BASE_URL pour un serveur à vous) et redémarrez.',
  es: 'Para conversar libremente, añada un modelo de lenguaje en Admin → Models, o defina OPENAI_API_KEY (OPENAI_BASE_URL para un servidor propio) y reinicie.',
};

const all: Record<Language, Advice> = {
  en: {
    aboutModel: `I am the built-in search and not a language model. I can only quote what I find: ask me about the documents, files, tables and memories of this agent. ${how.en}`,
    honest: `I am the built-in search and not a language model: I quote what I find and can't write or reason. ${how.en}`,
    unreadable: 'Reading such files needs a language model.',
  },
  de: {
    aboutModel: `Ich bin die eingebaute Suche und kein Sprachmodell. Ich zitiere nur, was ich finde: Fragen Sie mich nach den Dokumenten, Dateien, Tabellen und Notizen dieses Agenten. ${how.de}`,
    honest: `Ich bin die eingebaute Suche und kein Sprachmodell: Ich zitiere, was ich finde, und kann nicht schreiben oder schließen. ${how.de}`,
    unreadable: 'Um solche Dateien zu lesen, braucht es ein Sprachmodell.',
  },
  fr: {
    aboutModel: `Je suis la recherche intégrée et non un modèle de langage. Je ne fais que citer ce que je trouve : interrogez-moi sur les documents, fichiers, tableaux et notes de cet agent. ${how.fr}`,
    honest: `Je suis la recherche intégrée et non un modèle de langage : je cite ce que je trouve et ne sais ni rédiger ni raisonner. ${how.fr}`,
    unreadable: 'La lecture de tels fichiers demande un modèle de langage.',
  },
  es: {
    aboutModel: `Soy la búsqueda integrada y no un modelo de lenguaje. Solo cito lo que encuentro: pregúnteme por los documentos, archivos, tablas y notas de este agente. ${how.es}`,
    honest: `Soy la búsqueda integrada y no un modelo de lenguaje: cito lo que encuentro y no sé redactar ni razonar. ${how.es}`,
    unreadable: 'Para leer esos archivos hace falta un modelo de lenguaje.',
  },
};

export const adviceIn = (language: Language): Advice => all[language];
