-- Questions are anonymized from here on before they become vectors; vectors that were made before are of the raw text.
update knowledge_bases set needs_reindex = true where index_model is not null;
