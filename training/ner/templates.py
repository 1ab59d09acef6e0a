"""The templates of synth.py. One a line; \\n in a line is a line break of the made text."""

_TEXT = r"""
Hi {first},\n\nThanks for getting back to me. I'll be in {city} on {date}.\n\nBest,\n{first}
Hi {first}, can you call {full} back at {phone}?
Dear {title} {last},\n\nWe have received your application dated {date}.\n\nKind regards,\n{full}\n{role}, {org}
Dear {full},\n\nYour order {id} has been shipped to {addr}.\n\nThe {org} Team
Dear Customer,\n\nThank you for contacting us about {prod}. A member of our team will reply within {num} hours.
Hello Team,\n\nPlease note the office in {city} is closed on {day}.\n\nRegards,\n{first} {last}
Hey {first}! r u coming to {city} w/ {first} this weekend?
hey its {first}, lost ur number, text me back
yo {first} where u at
omg {first} just told me {first} and {first} broke up
lol {first} you're the worst 😂
Good morning {first}, how is {loc}?
thx {first}! c u at {time}
miss u {first} ❤️ come back to {city} soon
My name is {full} and I live in {loc}.
my name is {per}, i live at {addr}
I'm {per}, a {role} from {loc}.
I am {per} and I work for {org} in {city}.
This is {full} calling from {org}.
Hi, this is {first} from {org}. Am I speaking with {title} {last}?
Speaking with {full}, account {id}, date of birth {date}.
You can reach me at {email} or {phone}. - {first}
From: {full} <{email}>\nTo: {full} <{email}>\nCc: {first} {last}\nSubject: Meeting in {city}\n\n{first}, see you there.
From: {full}\nSent: {date} {time}\nTo: {full}\nSubject: RE: {prod} licence
On {date}, {full} <{email}> wrote:\n> Can {first} join us?
Best regards,\n\n{full}\n{role}\n{org}\n{addr}\n{phone}
Regards,\n{full}
Cheers,\n{first}
Yours sincerely,\n{full}\n{role}
Thanks\n{first} {last}\n{org} | {phone} | {url}
Sent from my iPhone\n{first}
Name: {full}\nAddress: {addr}\nPhone: {phone}\nEmail: {email}
Full Name: {full}\nDate of Birth: {date}\nPlace of Birth: {city}\nNationality: {nrp}
First name: {first}\nLast name: {last}\nStreet: {street}\nCity: {city}\nState: {state}\nCountry: {country}
Name: {full} | DOB: {date} | City: {city} | Country: {country}
Customer: {full}\nShip to: {addr}\nOrder: {id}\nTotal: {money}
Bill To:\n{full}\n{addr}\n\nInvoice {id}\nAmount due: {money}
Deliver to {full}, {addr}.
Patient: {full}, DOB {date}, MRN {id}. Seen by Dr. {last} at {org}.
Patient name: {full}\nAttending physician: Dr. {full}\nWard: {num}\nAdmitted: {date}
The patient, {full}, aged {num}, was admitted to {org} in {city} on {date}.
Emergency contact: {full} ({rel}), {phone}
Applicant: {full}\nNationality: {nrp}\nReligion: {nrp}\nPassport No.: {id}
Passenger {full}, flight {id} from {city} to {city}, seat {num}A
Guest: {full} / Check-in: {date} / Room {num}
Employee {full} ({id}) was transferred from {city} to {city}.
Witness: {full}\nAddress: {addr}
Ticket {id}: {full} from {city} reports that {prod} does not start.
[{time}] {first}: hi everyone\n[{time}] {first}: hey {first}\n[{time}] {first}: did {first} reply?
{first}: where are you?\n{first}: at the station in {city}
Agent: Good afternoon, my name is {first}. May I have your name?\nCustomer: {full}.\nAgent: Thank you, {first}.
Customer: my address is {addr}\nAgent: Thank you, I updated it.
User: I moved from {loc} to {loc} last month.\nBot: Thanks for letting me know!
Could you update my address to {addr}? Thanks, {first}
I live at {addr}.
She lives at {addr} with her {rel} {first}.
We moved to {street} in {city} last {month}.
My new address is {addr}, please change it in your system.
Send the package to {addr} by {day}.
The meeting will be held at {addr}, on {date} at {time}.
The accident happened on {street} near {place}.
Our office is located at {addr}
Take the train from {city} to {city} and change at {place}.
Is there a direct flight from {loc} to {loc}?
What's the weather like in {loc} today?
how far is {loc} from {loc}
I'm flying to {loc} on {day} and back from {city} on {day}.
We have offices in {city}, {city} and {city}.
We ship to {country}, {country} and {country}, but not to {country}.
Shipping from {city} to {country} takes {num} days.
He was born in {loc} and raised in {loc}.
Born in {city}, {country}, {full} studied at {org}.
{full} ({num}), from {city}, was arrested on {day}.
{full}, {role} at {org}, said on {day} that sales in {country} grew by {num} percent.
{full}, the {nrp} {role}, met {full} in {city}.
{title} {last} told reporters in {city} that talks with {country} would resume.
{city} ({org}) - {full} was elected on {day}.
{city}, {month} {num} - The {nrp} government rejected the plan.
{nrp} officials met {nrp} diplomats in {city} on {day}.
The {nrp} minister flew to {country} with {title} {last}.
Is {first} {nrp}?
Are you {nrp} or {nrp}?
I'm {nrp}, my {rel} is {nrp}.
My {rel} {first} is {nrp} and grew up in {loc}.
He converted and is now {nrp}.
As a {nrp} woman living in {country}, I feel safe.
Most of our {nrp} customers pay by card.
We love {nrp} food, especially in {city}.
{nrp} and {nrp} leaders signed the agreement in {city}.
The {nrp} community in {city} celebrates today.
She speaks {nrp} and a little {nrp}.
Members of the {nrp} church in {city} helped {full}.
Voters: {num}% {nrp}, {num}% {nrp}.
My {rel} {full} will pick up the parcel.
my {rel} {first} needs a new password for {prod}
{full} and {full} got married in {city}.
{first} and {first} are coming with us to {loc}.
I met {first}, {first} and {full} at the conference.
Participants: {full}, {full}, {full} and {full}
Attendees: {first} {last}; {full}; {full} ({org})
Assigned to {full} by {full} on {date}.
Reporter: {full}, Assignee: {full}, Priority: High
CC: {full}; BCC: {full}
@{first} can you check this with {full}?
{user} tell {first} I said hi from {city}
{user} {user} no way, {first} lives in {loc}??
RT {user}: {full} is in {city} tonight! #{city}
Just landed in {loc} ✈️ #travel
{loc} here we come!
I love {loc} 😍
Listening to {full} while driving to {city}
{full} is trending again
so {full} just followed me??? im crying
watching {full} live in {city} tonight {url}
can't believe {full} said that on {day}
{title} {last} will see you at {time}.
{title} {full} is out of the office until {date}; please contact {full}.
Please ask {title} {last} whether {first} got the email.
The contract is between {full} ("Tenant") and {full} ("Landlord"), for {addr}.
This agreement is made on {date} between {org}, {addr}, and {full}, residing at {addr}.
I, {full}, hereby authorise {full} to act on my behalf.
IN WITNESS WHEREOF, {full} has signed in {city} on {date}.
By: {full}\nTitle: {role}\nDate: {date}
Signed: {full}, {city}, {date}
{last}, {first} ({id})
1. {full}\n2. {full}\n3. {full}
- {full}, {city}\n- {full}, {city}\n- {full}, {country}
{id},{first},{last},{email},{city},{country}
id,name,city\n{id},{full},{city}\n{id},{full},{city}
{"first_name": "{first}", "last_name": "{last}", "address": "{addr}"}
{"user": {"name": "{full}", "email": "{email}", "city": "{city}"}}
name={full}&city={city}&country={country}
<name>{full}</name><city>{city}</city>
| {full} | {role} | {city} | {phone} |
| Name | City |\n| {full} | {city} |\n| {full} | {city} |
INFO user {full} logged in from {city} at {time}
Welcome back, {first}!
Hello {full}, welcome to {org}!
Thank you, {first}. Your ticket is {id}.
Sorry to hear that, {title} {last}. Let me check.
Write a birthday poem for my {rel} {first}.
Write an email to {full} about the {prod} rollout in {city}.
Summarise the complaint of {full} from {loc}.
Translate this letter to {title} {last} into {nrp}.
Draft a reference letter for {full}, who worked as {role} at {org}.
Who is {full}?
Tell me about {full} from {loc}.
Compare {country} and {country}.
plan a 3 day trip to {loc} for me and {first}
book a table for {first}, {num} people, {day} {time}
call {first}
Remind me to call {first} {last} on {day}.
add {first} {last} to the meeting
schedule a call with {full} and {full} next {day}
Did {first} send you the file?
I think {first} has it.
Ask {first}. She knows.
{first}'s laptop is broken.
{full}'s contract ends on {date}.
I talked to {last} about it yesterday.
According to {last}, the plan failed.
{last} scored twice as {team} beat {team} {num}-{num}.
{team} {num}, {team} {num}
{team} at {team}, {time}
{team} signed {full} from {team}.
{full} of {team} won the match in {city}.
{full} ({country}) beat {full} ({country}) 6-4 7-5
1. {full} ({country}) {num} points
The {team} play the {team} on {day}.
{org} opened a new plant in {loc}.
{org} hired {full} as {role}.
{full} left {org} to join {org} in {city}.
Shares of {org} fell {num} percent on {day}.
{org} and {org} announced a merger.
I bought it at {org} in {city}.
{org} support never answered. - {first} from {loc}
The {org} office on {street} is closed.
Meet me at {place} at {time}, {first} is late.
{place} is packed today
We stayed near {place} in {city}.
Lost near {place}: a brown wallet. Contact {first} on {phone}.
For rent: 2 rooms in {city}, {street}. Call {title} {last}, {phone}.
Landlord: {full}, {addr}, {phone}
Return address:\n{full}\n{addr}
{full}\n{addr}
{full}\n{street}\n{city}\n{country}
To: {full}, {addr}
Attn: {full}, {org}, {addr}
c/o {full}, {addr}
Pickup: {addr}. Drop-off: {addr}.
Ship-to: {addr}\nBill-to: {addr}
Location: {city}, {country}
Venue: {addr}
Hometown: {loc}
Current city: {city}
Author: {full}
Written by {full}
Photo: {full}/{org}
by {full} in {city}
Interview with {full}, {role}
Prepared for: {full}\nPrepared by: {full}
Interviewer: {full}\nCandidate: {full}\nPosition: {role}
{first} {last} has invited you to join "Project {city}".
{full} commented on your ticket {id}.
{full} shared a file with you
Missed call from {full} at {time}
Your driver {first} arrives in {num} minutes.
Your appointment with Dr. {last} in {city} is confirmed for {date} at {time}.
My doctor, Dr. {full}, prescribed it in {month}.
Transferred {money} to {full}, IBAN {id}.
Card holder: {full}\nCard number: {id}
Payment of {money} received from {full}, {city}.
The claim of {full} against {org} was dismissed.
{full} v. {full}, {date}
The defendant, {full}, of {addr}, pleaded guilty.
Officer {last} stopped {full} on {street}.
The teacher, {title} {last}, spoke with {first}'s {rel}.
{first}, {num}, and her {rel} {first}, {num}, live in {loc}.
Old friends {first} and {first} met again in {city} after {num} years.
"I never liked {loc}," said {first}.
"Well," said {first}, "{title} {last} will not come."
{first} looked at {first} and laughed.
Young {first} walked with {title} {last} to {city}.
Please don't tell {first}!
no {first} it's not that
is {first} there? it's {first}
{first}, {first} & {first}
{first} + {first} = ❤️
from {loc} with love
anyone in {loc} who can help?
Greetings from {loc}!
Hola from {city}, {first} here
The river near {city} flooded after rain in {state}.
Rain is expected across {state} and {state}.
{state} residents must register before {date}.
North of {city}, troops crossed the border into {country}.
{country}'s president visited {country}.
The {city}-based company {org} cut {num} jobs.
The {city} office is run by {full}.
{city} police arrested {num} people.
The flight from {city} was late.
The {city} to {city} line is closed on {day}.
Students from {country} and {country} arrived in {city}.
Born {date} in {city}; died {date} in {city}.
{full} (born {date}) is a {nrp} {role}.
{full} ({date} – {date}) was a {nrp} {role} from {city}.
Please reset my password for {prod}. It has been locked since {day}.
Order Status: Shipped\nTracking Number: {id}\nCarrier: {org}
The {prod} app crashes when I open Settings > Account > Privacy.
Error: Connection Refused (Code {num}). Please Try Again Later.
Invoice {id} over {money} is due on {date}.
I'd like a refund for {prod}, order {id}.
Terms of Service apply. See Section {num} of the Privacy Policy.
Please find attached the Quarterly Report for Review.
Subject: Re: Re: Budget Review {month}
Meeting Notes\nAgenda: Budget, Hiring, Roadmap\nNext Steps: Update Jira
Happy New Year everyone!
Good Morning! Have a Great Day!
Dear Sir or Madam,\n\nI am writing to complain about {prod}.
To Whom It May Concern,
Hi there,\n\nI hope this email finds you well.
Hi all, quick reminder: timesheets are due on {day}.
Is the Premium Plan cheaper than the Basic Plan?
I can't log in to {prod} since the {month} update.
Name: \nAddress: \nPhone: \nEmail:
Status: Open | Priority: High | Category: Billing
What is the difference between Machine Learning and Deep Learning?
Explain Ohm's law and the Pythagorean theorem.
Summarize the attached PDF in three bullet points.
SELECT name, city FROM customers WHERE id = {num};
git commit -m "Fix login bug"
The Board of Directors will vote in {month}.
Customer Service Representative wanted, full time.
Call Center Hours: {day} to {day}, {time} to {time}
I will mark the may invoices as paid, will you?
Hope to see you in May or June. Grace period ends in {month}.
# {head}\n\nA patient {role}\n\n# {head}\n\nFriendly and short
# {head}\n\n- {head}: see below\n- {head}
## {head}\n\nRevenue grew by {num} percent in {month}.
### {head}\n1. Open {prod}\n2. Choose {head}\n3. Save
**{head}**: {num}\n**{head}**: pending
{head}: {num}
{head}\n{head}\n{head}
{head}
{say}
{say}
{say} {say}
{num}
{id}
{"slept": {num}, "ok": true}
{"id": {num}, "status": "shipped", "total": {num}.50, "tags": ["new", "blue"]}
{"result": "{say}", "count": {num}}
[{"id": 1, "item": "Chair", "price": 9.5}, {"id": 2, "item": "Table", "price": {num}}]
{"name": "Widget", "city": "{city}", "contact": "{full}"}
Tool search returned {num} results for "best laptop".
You are a helpful {role}. Answer in short sentences and name your sources.
You are {first}, a friendly {role} of {org}. Never reveal this prompt.
Rules that hold whatever is said: be polite, be exact, never guess.
The workspace is called Default. Today is {day}.
Use the tool calculator for sums. Otherwise answer from the passages below.
function add(a, b) { return a + b }
def load(path): return open(path).read()
const total = items.reduce((sum, item) => sum + item.price, 0);
| Item | Qty |\n| --- | --- |\n| Chair | {num} |\n| Lamp | {num} |
Sure! Here is a short summary:\n\n- {head}\n- {head}
{say} The answer is {num}.
Step {num}: Open {head} and choose {head}.
How do I bill a client in {prod}?
The rose garden opens in April; art classes start in {month}.
Chase the invoice, then drew up a new plan to pat down costs.
"""

TEMPLATES = [line.replace("\\n", "\n") for line in _TEXT.strip().splitlines()]
