import { termsOf } from '../../../../lib/text/terms.ts';

/** Words that stand for each other in questions and in documents of a workplace; each line is a group. */
const groups = `
cost price fee charge rate tariff amount pay payment
return returned refund send back
holiday vacation leave pto absence
ship shipping deliver delivery dispatch shipment freight
send sent ship shipment dispatch
spend spent
build built
buy bought purchase order acquire
sell sold sale
begin began start
employee staff worker colleague personnel
salary wage pay paid earn compensation remuneration income
manager boss supervisor lead head director chief
phone telephone mobile number extension
email mail e-mail
car vehicle
repair fix mend maintenance service
permitted allowed may
begin start commence launch
end finish expire expiry termination terminate
cancel cancellation terminate termination notice
delete remove erase
weight weigh heavy kilogram kg
height high tall metre
length long duration last
temperature hot cold degree
opening open hour hours
closed close shut
address located location situated headquarter office
deadline due latest until within
guarantee warranty
version release edition
broken defective damaged faulty fault defect
error fault failure code
install installation setup
clean cleaning wash rinse
charge charging battery
customer client
supplier vendor
invoice bill
receipt proof
doctor physician medical
sick ill illness sickness
password passcode credential
forgot forgotten lost
computer laptop notebook device
lift elevator
flat apartment
rent lease tenancy
landlord lessor owner
responsible charge contact owner
founded established founder foundation
birthday born birth
child children parent parental
training course class workshop
teacher trainer instructor
meeting session appointment
room space hall
meal lunch dinner food breakfast
size dimension measure
speed fast rate
store keep kept storage retain retention
keep kept delete deleted
type typed typing input
approve approval permission consent authorise
replace replacement exchange swap
maximum most limit cap
minimum least
visitor guest
switch turn
loud noise noisy sound decibel db
theft steal stolen thief robbery
lose lost loss missing
show display visible
wheelchair barrier-free accessible disabled
emergency urgent urgency
quit resign resignation leave
age old year born
smoke smoking cigarette
internet wifi wlan wireless network
dog pet animal
park parking garage
alarm alert warning
ticket pass card
safe secure security protection
travel journey trip
teach taught teacher
borrow lend loan lent
earn salary income wage pay paid
ban forbidden prohibited
kosten preis gebuhr tarif betrag kostet teuer
urlaub ferien freie
lieferung versand liefern versenden zustellung
ruckgabe rucksendung zuruckgeben zurucksenden retoure
kaufen kauf bestellen bestellung
mitarbeiter mitarbeitende mitarbeiterin angestellte beschaftigte personal
gehalt lohn verdienst
chef vorgesetzte leiter leiterin leitung fuhrung
telefon handy rufnummer nummer durchwahl
auto fahrzeug wagen dienstwagen
reparatur reparieren instandsetzung
beginn beginnen anfang starten
ende enden ablauf ablaufen
kundigung kundigen kundigungsfrist
loschen loschung entfernen geloscht
gewicht wiegt wiegen schwer
geoffnet offnungszeit offnen offnet
geschlossen schliessen
frist fallig spatestens termin
garantie gewahrleistung
kaputt defekt beschadigt
rechnung faktura
arzt arztlich attest krankmeldung krankschreibung
kennwort passwort
miete pacht mietzins
homeoffice hause mobiles
aufbewahrung aufbewahren speichern
verboten untersagt
erlaubt gestattet
austritt austreten kundigen kundigung ausscheiden
laut larm gerausch lautstarke dezibel
diebstahl gestohlen stehlen
beitrag gebuhr kosten
parken parkplatz stellplatz garage
wlan internet netz
reise dienstreise fahrt
zustandig verantwortlich ansprechpartner
schulung kurs seminar fortbildung
prix cout coute tarif montant frais
conge vacances
livraison livrer expedition envoi
retour retourner renvoyer rembourser remboursement
achat acheter commande commander
employe salarie collaborateur personnel
salaire remuneration paie
responsable chef directeur directrice manager
telephone portable numero
voiture vehicule
reparation reparer
debut commencer commence demarrer
fin finir expire
resiliation resilier preavis
supprimer effacer
poids pese peser
ouvert ouvre ouverture horaires
ferme fermeture
delai echeance
garantie
facture
loyer bail
interdit defendu
bruit sonore decibel
vol vole voler
stationnement parking garer
chien animal animaux
precio coste costo cuesta tarifa importe
vacaciones permiso
envio enviar entrega entregar
devolucion devolver reembolso
compra comprar pedido pedir
empleado trabajador personal
salario sueldo
jefe jefa responsable encargado encargada director directora
telefono movil numero
coche vehiculo
reparacion reparar
inicio empezar comenzar comienza
fin terminar termina
peso pesa
abre abierto apertura horario
cierra cerrado
plazo
garantia
factura
alquiler renta
prohibido
aparcamiento aparcar parking
ruido sonoro decibelio
robo robado robar
perro mascota animal
contrasena clave
`;

const related = new Map<string, Set<string>>();
for (const line of groups.trim().split('\n')) {
  const terms = [...new Set(termsOf(line))];
  for (const term of terms) related.set(term, new Set([...(related.get(term) ?? []), ...terms]));
}

const none: ReadonlySet<string> = new Set();

/** The terms that can stand for this one, itself among them where it has any. */
export const synonymsOf = (term: string): ReadonlySet<string> => related.get(term) ?? none;
