#!/usr/bin/env python3
"""Verifies what the tests signed, by libraries that nobody here wrote.

usage: signatures.py FOLDER

The folder holds apple.jwt and apple.pub, google.jwt and google.pub, and webhook.json. Prints what each library made of
it, one line each, and fails when one takes a signature not, or takes one that was changed.
"""

import json
import sys
from pathlib import Path

import google.auth.jwt
import jwt
import standardwebhooks
import svix.webhooks
from joserfc import jwt as jose
from joserfc.jwk import ECKey, RSAKey

folder = Path(sys.argv[1])


def text(name):
    return (folder / name).read_text()


def changed(token):
    """The token with another first letter of its signature."""
    head, claims, signature = token.split(".")
    return ".".join([head, claims, ("B" if signature[0] == "A" else "A") + signature[1:]])


def refuses(what, verify):
    try:
        verify()
    except Exception:
        return
    sys.exit(f"{what} takes a signature that was changed")


def report(what, claims):
    print(what, json.dumps(claims, sort_keys=True))


def check_apple(token):
    key = text("apple.pub")
    report("PyJWT", jwt.decode(token, key, algorithms=["ES256"]))
    refuses("PyJWT", lambda: jwt.decode(changed(token), key, algorithms=["ES256"]))
    report("PyJWT header", jwt.get_unverified_header(token))
    key = ECKey.import_key(key)
    report("joserfc", jose.decode(token, key, algorithms=["ES256"]).claims)
    refuses("joserfc", lambda: jose.decode(changed(token), key, algorithms=["ES256"]))


def check_google(token):
    key, audience = text("google.pub"), "https://oauth2.example/token"
    report("google-auth", dict(google.auth.jwt.decode(token, certs=key, audience=audience)))
    refuses("google-auth", lambda: google.auth.jwt.decode(changed(token), certs=key, audience=audience))
    report("google header", google.auth.jwt.decode_header(token))
    report("PyJWT", jwt.decode(token, key, algorithms=["RS256"], audience=audience))
    report("joserfc", jose.decode(token, RSAKey.import_key(key), algorithms=["RS256"]).claims)


def check_webhook(sent):
    for secret in sent["secrets"]:
        for name, library in (("standardwebhooks", standardwebhooks), ("svix", svix.webhooks)):
            webhook = library.Webhook(secret)
            report(name, webhook.verify(sent["body"], sent["headers"]))
            refuses(name, lambda: webhook.verify(sent["body"] + " ", sent["headers"]))


check_apple(text("apple.jwt"))
check_google(text("google.jwt"))
check_webhook(json.loads(text("webhook.json")))
