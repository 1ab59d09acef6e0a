"""Name lists: those of the data folder, and names of cultures that those lists lack, written for this project."""

from collections import Counter
from pathlib import Path

import things
from text import Bloom, TOKEN, fold, lower

# The kernel reads features by pairs: with the bit for a vector their count must be even.
LISTS = ("first", "last", "city", "city_part", "country", "nrp", "common", "given", "thing", "thing_part", "both")

MORE_FIRST = """Wei Fang Xiaoming Jing Yan Lei Hui Ying Xin Yu Jian Hong Qiang Zhiwei Meiling Xiu Haoran Yichen Zihan Mingyu
Haruto Yuki Sakura Hiroshi Kenji Takashi Yoko Akira Naoko Satoshi Ayumi Keiko Ren Sota Hina Kazuo Michiko Daisuke Emi
Minjun Seojun Jihoon Jiwoo Soyeon Hyunwoo Eunji Sungmin Youngho Minseo Jisoo Haeun Dongwook Kyungsoo Taehyung Yuna
Ahmed Mohammed Mohammad Muhammad Fatima Aisha Omar Khalid Yusuf Ibrahim Hassan Hussein Ali Zainab Maryam Layla Noor Tariq
Abdullah Abdulrahman Salma Huda Rania Samir Karim Nadia Yasmin Bilal Hamza Mustafa Rashid Faisal Amina Khadija Saeed Walid
Priya Rahul Amit Anjali Deepak Kavita Sanjay Sunita Rajesh Pooja Vikram Neha Arjun Lakshmi Suresh Ravi Ananya Aarav Diya
Ishaan Meera Nikhil Swati Harpreet Gurpreet Manpreet Jaspreet Ramesh Venkatesh Karthik Divya Padma Srinivas Aditya Rohan
Reza Parisa Hossein Mahmoud Shirin Dariush Farhad Leila Kaveh Nasrin Behrouz Golnaz Arash Soraya Kamran Mina
Chinedu Ngozi Oluwaseun Adebayo Chiamaka Emeka Ifeoma Tunde Funmilayo Amaka Obinna Folake Kwame Kofi Ama Akosua Yaw Abena
Thabo Sipho Nomsa Lerato Themba Zanele Bongani Thandiwe Naledi Tendai Tatenda Chipo Wanjiru Kamau Njeri Otieno Achieng
Abebe Tigist Dawit Selam Bekele Hiwot Yonas Meseret Tesfaye Almaz Somchai Siriporn Nattapong Kanya Anong Prasert Malee
Budi Siti Agus Dewi Wayan Ketut Putri Joko Rina Hendra Nur Aziz Farah Rizal Nguyen Minh Linh Huong Tuan Thuy Dung Phuong
Olena Taras Bohdan Oksana Dmytro Svitlana Yaroslav Iryna Dmitri Sergei Olga Tatiana Natasha Vladimir Boris Ivan Mikhail
Giorgi Nino Levan Tamar Aram Anahit Tigran Narine Aziza Timur Dilnoza Rustam Gulnara Nursultan Aigerim Bat-Erdene
Moana Tane Aroha Wiremu Sione Leilani Kalani Mele Tevita Noa Shlomo Avi Yael Moshe Tamar Rivka Eitan Shira Chaim Dov
Siobhan Niamh Aoife Ciaran Padraig Saoirse Eoghan Oisin Gareth Rhys Sian Angharad Mairi Hamish Iain Morag Catriona""".split()

MORE_LAST = """Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Gao Lin Luo Zheng Liang Xie Tang Deng
Feng Song Cao Peng Zeng Xiao Tian Dong Pan Yuan Cai Jiang Yu Du Ye Cheng Wei Su Lu Ding Ren Shen Yao Ouyang Chan Wong Cheung
Lam Leung Kwok Chow Ng Tan Lim Goh Teo Koh Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato
Yoshida Yamada Sasaki Matsumoto Inoue Kimura Hayashi Shimizu Mori Abe Ikeda Hashimoto Ishikawa Ogawa Fujita Okada Kim Lee
Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Ryu Hong Jeon Moon Bae Patel Sharma Singh Kumar
Gupta Verma Mehta Shah Joshi Reddy Rao Nair Menon Iyer Iyengar Pillai Das Banerjee Chatterjee Mukherjee Bose Ghosh Sen
Agarwal Jain Kapoor Khanna Malhotra Chopra Bhatia Sethi Gill Sandhu Dhillon Grewal Kaur Desai Kulkarni Patil Deshmukh
Naidu Subramanian Krishnan Khan Ahmed Hussain Malik Qureshi Siddiqui Chaudhry Sheikh Ansari Mirza Begum Rahman Islam Hossain
Chowdhury Uddin Perera Silva Fernando Jayawardena Wickramasinghe Al-Farsi Al-Rashid Al-Masri Haddad Khoury Nasser Mansour
Saleh Hamdan Abbas Aziz Farouk Hosseini Ahmadi Mohammadi Rezaei Karimi Moradi Tehrani Shirazi Esfahani Okafor Okonkwo
Adeyemi Eze Nwosu Adebayo Balogun Ogunleye Abiodun Okeke Chukwu Mensah Owusu Boateng Asante Osei Appiah Agyeman Nkosi Dlamini
Khumalo Ndlovu Mokoena Zulu Moyo Ncube Sibanda Mutasa Kamau Mwangi Otieno Odhiambo Kipchoge Wanjiku Njoroge Kariuki Tesfaye
Bekele Haile Gebre Alemu Tadesse Nguyen Tran Pham Hoang Phan Vu Dang Bui Do Ho Ngo Duong Santos Reyes Cruz Bautista
Garcia Dela Aquino Villanueva Mendoza Wijaya Susanto Santoso Hidayat Kusuma Suharto Yilmaz Kaya Demir Celik Sahin Yildiz
Ozturk Aydin Arslan Kovalenko Shevchenko Bondarenko Tkachenko Kravchenko Ivanov Petrov Sidorov Smirnov Kuznetsov Popov
Volkov Sokolov Kowalski Nowak Wisniewski Zielinski Szymanski Novak Horvat Kovac Petrovic Jovanovic Nikolic Papadopoulos
Georgiou Popescu Ionescu Dumitru Nagy Kovacs Szabo Toth Cohen Levy Mizrahi Friedman Goldberg Rosenberg Katz Shapiro
Johansson Andersson Karlsson Nilsson Eriksson Hansen Olsen Larsen Nielsen Jensen Korhonen Virtanen Makinen de-Jong Jansen
Bakker Visser Smit Mulder Peeters Dubois Lefebvre Moreau Girard Rossi Russo Ferrari Esposito Bianchi Ricci Conti Hernandez
Lopez Martinez Gonzalez Rodriguez Perez Ramirez Flores Gomez Torres Vargas Castillo Rojas Oliveira Souza Pereira Costa
Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green Hall Wood
Clarke Murphy Kelly O'Brien O'Connor O'Sullivan Byrne Ryan Doyle McCarthy Gallagher MacDonald Campbell Stewart Fraser
Tuilagi Fonoti Taufa Kahananui Whetu Ngata Begay Yazzie Tsosie""".replace("-", " ").split()


def read(data, name):
    return [line for line in (Path(data) / "gazetteer" / f"{name}.txt").read_text().splitlines() if line]


def words_of(text):
    return [fold(lower(token)) for token in TOKEN.findall(text) if token[0].isalpha() and len(token) > 1]


def load_names(data):
    return {
        "first": read(data, "first_names"),
        "last": read(data, "last_names"),
        "cities": read(data, "cities"),
        "countries": read(data, "countries"),
        "nrp": read(data, "nrp"),
    }


def common_words(sentences, least):
    """What the training text writes small and untagged."""
    small = Counter(token for tokens, tags, _ in sentences for token, tag in zip(tokens, tags) if tag == "O" and token.islower())
    return [word for word, count in small.items() if count >= least]


def known_pairs(data):
    """The first two words of names of several words: of programs, brands, firms, works and dishes, and of places."""
    names = load_names(data)
    known = [name for group in (*things.FEATURES, "works", "idioms") for name in things.LISTS[group]] + things.LISTED_SOFTWARE + things.LISTED_BRANDS
    out = {}
    for kind, group in (("things", known), ("places", names["cities"] + names["countries"])):
        words = [[fold(lower(token)) for token in TOKEN.findall(name.removeprefix("the "))[:2]] for name in group]
        out[f"pairs.{kind}"] = {" ".join(pair) for pair in words if len(pair) == 2 and all(word[0].isalpha() for word in pair)}
    return out


def pair_sections(data):
    """What the asset has of them, by section."""
    return {name: bytes(Bloom(sorted(pairs)).bits) for name, pairs in known_pairs(data).items()}


def make_lists(data, sentences):
    """One set of folded words for each list. Things that share their name with many people are on a list of their own."""
    names = load_names(data)
    parts = {word for city in names["cities"] if len(words_of(city)) > 1 for word in words_of(city)}
    given = {w for name in things.GIVEN + MORE_FIRST for w in words_of(name)}
    own = [words_of(name) for name in [*(name for group in things.FEATURES for name in things.LISTS[group]), *things.LISTED_SOFTWARE]]
    entries = own + [words_of(name) for name in things.LISTED_BRANDS]
    single = {entry[0] for entry in entries if len(entry) == 1}
    people = given | {w for name in things.FAMILY + MORE_LAST for w in words_of(name)}
    places = {word for name in names["cities"][:8000] + names["countries"] for word in words_of(name)}
    sets = {
        "first": {w for name in names["first"] + MORE_FIRST for w in words_of(name)},
        "last": {w for name in names["last"] + MORE_LAST for w in words_of(name)},
        "city": {words_of(city)[0] for city in names["cities"] if len(words_of(city)) == 1},
        "city_part": parts,
        "country": {word for name in names["countries"] for word in words_of(name)} - {"the", "of", "and"},
        "nrp": {word for name in names["nrp"] for word in words_of(name)},
        "common": {fold(lower(word)) for word in common_words(sentences, 3)},
        "given": given,
        "thing": single - people - places,
        "thing_part": {word for entry in entries if len(entry) > 1 for word in entry} - people - places - {"the", "of", "and"},
        "both": {entry[0] for entry in own if len(entry) == 1} & people,
    }
    return {name: Bloom(sorted(sets[name])) for name in LISTS}
