"""What pushes say, by the files from which the job takes its texts."""

import json
import pathlib
import tomllib

FOLDER = pathlib.Path(__file__).parents[2] / "Sources/Jobs/Push/Messages"
TEXTS = {path.stem: tomllib.loads(path.read_text()) for path in FOLDER.glob("*.toml")}
MOST_BYTES_OF_NAME = 120


def line_for(push, expires_at):
    """The push as one line of words, with no more of the token than tells devices apart."""
    language = language_of(push.locale)
    texts = TEXTS[language]
    message = texts[push.template]
    if "title" not in message:
        # One that was given up since the push was planned falls back on the first that there is.
        message = message.get(push.variant) or next(iter(message.values()))
    facts = {"name": short(push.display_name) if push.display_name.strip() else texts["nameless"],
             "streak_days": push.streak_days or 0,
             "pattern": short((push.name_ko if language == "ko" else push.name_en) or push.pattern_code or "")}
    link = "app://session/warmup"
    if push.template == "pattern" and push.pattern_code:
        link = f"app://review/pattern/{push.pattern_code}"
    words = {"id": f"{push.user_id}/{push.local_day}", "title": message["title"].format(**facts),
             "body": message["body"].format(**facts), "link": link}
    quoted = {name: json.dumps(text, ensure_ascii=False) for name, text in words.items()}
    token = push.token[:6 if len(push.token) > 12 else 0] + "…"
    return (f"push id={quoted['id']} to={push.provider} token={token} expires_at={int(expires_at.timestamp())} "
            f"title={quoted['title']} body={quoted['body']} link={quoted['link']}\n")


def language_of(locale):
    """That of the locale, where there are texts in it, and English else."""
    language = locale.replace("_", "-").split("-")[0].lower()
    return language if language in TEXTS else "en"


def short(name):
    """The name on one line, cut where it would fill the screen."""
    line = "".join(letter if letter.isprintable() else " " for letter in name)
    if len(line.encode()) <= MOST_BYTES_OF_NAME:
        return line
    return line.encode()[:MOST_BYTES_OF_NAME - 3].decode(errors="ignore") + "…"
