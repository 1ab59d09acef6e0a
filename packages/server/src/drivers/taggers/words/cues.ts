/** Phrases before a name, in several languages. Each ends where the name begins. */
export const cues =
  /(?:my (?:full )?name is|(?:mein|ihr|sein) name ist|ich hei(?:ß|ss)e|je m'appelle|mon nom est|me llamo|mi nombre es|mi chiamo|il mio nome è|(?:o )?meu nome é|(?:eu )?me chamo|ik heet|mijn naam is|меня зовут|nazywam się|(?:patient|full name|first name|last name|surname|name|employee|client|customer|tenant|guest|passenger|author|attn|attention|signed(?: by)?|contact person|cardholder|account holder|beneficiary|applicant|candidate|nom|nombre|vorname|nachname|kunde|kundin|ansprechpartner(?:in)?|patientin|from|to|next of kin|passport holder|driver|holder|owner)\s?:)\s{1,4}/giu;

/** After these a name is likely, but an ordinary capitalized word is possible. */
export const weakCues =
  /(?<![\p{L}'])(?:i am|i'm|this is|named|ich bin|je suis|yo soy|soy|(?:my|his|her|their|our) (?:wife|husband|son|daughter|brother|sister|mother|father|friend|colleague|boss|manager|partner|neighbou?r|boyfriend|girlfriend|uncle|aunt|doctor|lawyer|teacher)|ask|contact|call|email|tell|cc|met|meet|employee|patient|client|customer|driver|passenger|guest|tenant|identified as|husband|wife|hired|spoke (?:with|to)|signed by|sent by|written by|reported by|assigned to|on behalf of)\s{1,3}/giu;

export const greetings =
  /(?<!\p{L})(?:dear|hi|hello|hey|hallo|liebe[rs]?|sehr geehrte[rs]?|bonjour|cher|chère|salut|hola|estimad[oa]|querid[oa]|ciao|car[oa]|gentile|olá|prezad[oa]|beste|geachte)\s{1,3}/giu;

export const closings =
  /(?<!\p{L})(?:regards|sincerely|faithfully|truly|thanks|thank you|cheers|best|love|wishes|grüßen?|gruß|grüße|cordialement|bien à vous|saludos|atentamente|saluti|cordiali saluti|atenciosamente|abraços|groeten|groet)[,!.]?[ \t]{0,4}\r?\n\s{0,8}[-–—]{0,2}\s?/giu;
