import type { Language } from './language.ts';

/** The sentences that the model says itself. All else in its answers is quoted. */
export interface Phrases {
  found: string;
  /** `where` is a list of names, empty when nothing was searched. */
  nothing(where: string): string;
  partly: string;
  unreadable(file: string): string;
  failed: string;
  noTool: string;
  noResult: string;
  result: string;
  greeting: string;
  welcome: string;
  noAnswer: string;
  me(name: string | undefined): string;
  searches(names: string): string;
  computes(names: string): string;
  can(things: string): string;
  nothingToSearch: string;
  and: string;
  files: string;
  memories: string;
  web: string;
  todos: string;
  clock: string;
  further: string;
  rows(table: string): string;
  different(column: string): string;
  sum(column: string): string;
  average(column: string): string;
  least(column: string): string;
  most(column: string): string;
  yes: string;
  no: string;
  not: string;
  filled: string;
  empty: string;
  firstOf(shown: number, all: number): string;
  /** `words` are those of the question that the answer leaves out. */
  notUsed(words: string): string;
  noFigure(words: string): string;
}

const en: Phrases = {
  found: 'This is what I found:',
  nothing: (where) =>
    where ? `I found nothing about this in ${where}.` : 'I found nothing about this in what I have at hand.',
  partly: 'I could not search everything.',
  unreadable: (file) => `I can't read ${file}: it is no text.`,
  failed: 'That did not work.',
  noTool: 'This agent has no tool for that, so I could not use it.',
  noResult: 'It ran and returned nothing.',
  result: 'This is the result:',
  greeting: 'Hello. Ask me a question: I look for the answer and quote what I find.',
  welcome: 'You are welcome.',
  noAnswer: 'I have no answer to this.',
  me: (name) =>
    `I am ${name ? `${name}, ` : ''}a search program and not a language model: I look for answers and quote what I find.`,
  searches: (names) => `I can search ${names}.`,
  computes: (names) => `I can count and add up what stands in ${names}.`,
  can: (things) => `Besides, I can ${things}.`,
  nothingToSearch: 'So far I have no documents or tables to search.',
  and: 'and',
  files: 'the files of this conversation',
  memories: 'what I was asked to remember',
  web: 'search the web',
  todos: 'keep a list of to-dos',
  clock: 'tell the time',
  further: 'use',
  rows: (table) => `Number of rows in ${table}`,
  different: (column) => `Number of different values of ${column}`,
  sum: (column) => `Sum of ${column}`,
  average: (column) => `Average of ${column}`,
  least: (column) => `Lowest ${column}`,
  most: (column) => `Highest ${column}`,
  yes: 'yes',
  no: 'no',
  not: 'not',
  filled: 'filled in',
  empty: 'empty',
  firstOf: (shown, all) => `the first ${shown} of ${all}`,
  notUsed: (words) => `I did not use: ${words}.`,
  noFigure: (words) => `I did not use: ${words}. Without that an answer from the tables would be wrong.`,
};

const de: Phrases = {
  found: 'Das habe ich gefunden:',
  nothing: (where) =>
    where
      ? `Dazu habe ich nichts gefunden. Durchsucht habe ich ${where}.`
      : 'Dazu habe ich in dem, was mir vorliegt, nichts gefunden.',
  partly: 'Ich konnte nicht alles durchsuchen.',
  unreadable: (file) => `Ich kann ${file} nicht lesen: Es ist kein Text.`,
  failed: 'Das hat nicht geklappt.',
  noTool: 'Dieser Agent hat dafür kein Werkzeug, also konnte ich es nicht benutzen.',
  noResult: 'Es lief und gab nichts zurück.',
  result: 'Das ist das Ergebnis:',
  greeting: 'Hallo. Stellen Sie mir eine Frage: Ich suche die Antwort und zitiere, was ich finde.',
  welcome: 'Gern geschehen.',
  noAnswer: 'Darauf habe ich keine Antwort.',
  me: (name) =>
    `Ich bin ${name ? `${name}, ` : ''}ein Suchprogramm und kein Sprachmodell: Ich suche Antworten und zitiere, was ich finde.`,
  searches: (names) => `Ich kann ${names} durchsuchen.`,
  computes: (names) => `Ich kann zählen und zusammenrechnen, was in ${names} steht.`,
  can: (things) => `Außerdem kann ich ${things}.`,
  nothingToSearch: 'Bisher habe ich keine Dokumente oder Tabellen, in denen ich suchen kann.',
  and: 'und',
  files: 'die Dateien dieses Gesprächs',
  memories: 'das, was ich mir merken sollte',
  web: 'im Web suchen',
  todos: 'eine Aufgabenliste führen',
  clock: 'die Uhrzeit sagen',
  further: 'benutzen:',
  rows: (table) => `Anzahl der Zeilen in ${table}`,
  different: (column) => `Anzahl verschiedener Werte von ${column}`,
  sum: (column) => `Summe von ${column}`,
  average: (column) => `Durchschnitt von ${column}`,
  least: (column) => `Kleinster Wert von ${column}`,
  most: (column) => `Größter Wert von ${column}`,
  yes: 'ja',
  no: 'nein',
  not: 'nicht',
  filled: 'ausgefüllt',
  empty: 'leer',
  firstOf: (shown, all) => `die ersten ${shown} von ${all}`,
  notUsed: (words) => `Nicht verwendet habe ich: ${words}.`,
  noFigure: (words) => `Nicht verwendet habe ich: ${words}. Ohne das wäre eine Antwort aus den Tabellen falsch.`,
};

const fr: Phrases = {
  found: 'Voici ce que j’ai trouvé :',
  nothing: (where) =>
    where ? `Je n’ai rien trouvé à ce sujet dans ${where}.` : 'Je n’ai rien trouvé à ce sujet dans ce dont je dispose.',
  partly: 'Je n’ai pas pu tout parcourir.',
  unreadable: (file) => `Je ne peux pas lire ${file} : ce n’est pas du texte.`,
  failed: 'Cela n’a pas fonctionné.',
  noTool: 'Cet agent n’a pas d’outil pour cela, je n’ai donc pas pu l’utiliser.',
  noResult: 'L’outil n’a rien renvoyé.',
  result: 'Voici le résultat :',
  greeting: 'Bonjour. Posez-moi une question : je cherche la réponse et je cite ce que je trouve.',
  welcome: 'Je vous en prie.',
  noAnswer: 'Je n’ai pas de réponse à cela.',
  me: (name) =>
    `Je suis ${name ? `${name}, ` : ''}un programme de recherche et non un modèle de langage : je cherche des réponses et je cite ce que je trouve.`,
  searches: (names) => `Je peux chercher dans ${names}.`,
  computes: (names) => `Je peux compter et additionner ce qui figure dans ${names}.`,
  can: (things) => `Je peux aussi ${things}.`,
  nothingToSearch: 'Pour l’instant, je n’ai ni documents ni tableaux où chercher.',
  and: 'et',
  files: 'les fichiers de cette conversation',
  memories: 'ce que l’on m’a demandé de retenir',
  web: 'chercher sur le web',
  todos: 'tenir une liste de tâches',
  clock: 'donner l’heure',
  further: 'utiliser',
  rows: (table) => `Nombre de lignes dans ${table}`,
  different: (column) => `Nombre de valeurs différentes de ${column}`,
  sum: (column) => `Somme de ${column}`,
  average: (column) => `Moyenne de ${column}`,
  least: (column) => `Valeur minimale de ${column}`,
  most: (column) => `Valeur maximale de ${column}`,
  yes: 'oui',
  no: 'non',
  not: 'sauf',
  filled: 'renseigné',
  empty: 'vide',
  firstOf: (shown, all) => `les ${shown} premières sur ${all}`,
  notUsed: (words) => `Je n’ai pas utilisé : ${words}.`,
  noFigure: (words) => `Je n’ai pas utilisé : ${words}. Sans cela, une réponse tirée des tableaux serait fausse.`,
};

const es: Phrases = {
  found: 'Esto es lo que he encontrado:',
  nothing: (where) =>
    where
      ? `No he encontrado nada sobre esto en ${where}.`
      : 'No he encontrado nada sobre esto en lo que tengo a mano.',
  partly: 'No he podido buscar en todo.',
  unreadable: (file) => `No puedo leer ${file}: no es un texto.`,
  failed: 'Eso no ha funcionado.',
  noTool: 'Este agente no tiene ninguna herramienta para eso, así que no he podido usarla.',
  noResult: 'Se ejecutó y no devolvió nada.',
  result: 'Este es el resultado:',
  greeting: 'Hola. Hágame una pregunta: busco la respuesta y cito lo que encuentro.',
  welcome: 'De nada.',
  noAnswer: 'No tengo respuesta para esto.',
  me: (name) =>
    `Soy ${name ? `${name}, ` : ''}un programa de búsqueda y no un modelo de lenguaje: busco respuestas y cito lo que encuentro.`,
  searches: (names) => `Puedo buscar en ${names}.`,
  computes: (names) => `Puedo contar y sumar lo que hay en ${names}.`,
  can: (things) => `Además puedo ${things}.`,
  nothingToSearch: 'Por ahora no tengo documentos ni tablas en los que buscar.',
  and: 'y',
  files: 'los archivos de esta conversación',
  memories: 'lo que me pidieron recordar',
  web: 'buscar en la web',
  todos: 'llevar una lista de tareas',
  clock: 'decir la hora',
  further: 'usar',
  rows: (table) => `Número de filas en ${table}`,
  different: (column) => `Número de valores distintos de ${column}`,
  sum: (column) => `Suma de ${column}`,
  average: (column) => `Media de ${column}`,
  least: (column) => `Valor mínimo de ${column}`,
  most: (column) => `Valor máximo de ${column}`,
  yes: 'sí',
  no: 'no',
  not: 'excepto',
  filled: 'rellenado',
  empty: 'vacío',
  firstOf: (shown, all) => `las primeras ${shown} de ${all}`,
  notUsed: (words) => `No he utilizado: ${words}.`,
  noFigure: (words) => `No he utilizado: ${words}. Sin eso, una respuesta de las tablas sería errónea.`,
};

const all: Record<Language, Phrases> = { en, de, fr, es };

export const phrasesIn = (language: Language): Phrases => all[language];

const openings = Object.values(all).flatMap((own) => [
  ...[own.found, own.greeting, own.noTool, own.failed, own.noAnswer, own.welcome, own.result],
  ...[own.nothing('\0').split('\0')[0], own.nothing(''), own.me('\0').split('\0')[0]],
]);

/** Whether a text is an earlier answer of this model, whose quotations must not be quoted again. */
export const isOwnAnswer = (text: string): boolean =>
  text.includes('” [') || openings.some((opening) => opening && text.startsWith(opening));
