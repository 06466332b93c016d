"""An authorization server for the tests of the device grant: django-allauth on a loopback port.

usage: server.py FOLDER

It prints its address once it accepts connections.

Needs django-allauth[idp-oidc] 65.21.1, oauthlib 4.0.0 and Django 5.2. The user jisu has the password k9-leash!; the client is
pawkit-dog. The database and the key are in FOLDER.
"""

import os
import sys

folder = sys.argv[1]

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)

from django.conf import settings

settings.configure(
    DEBUG=False,
    SECRET_KEY="a key of the tests",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(folder, "db.sqlite3"), "OPTIONS": {"timeout": 20}}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "allauth",
        "allauth.account",
        "allauth.idp.oidc",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    AUTHENTICATION_BACKENDS=[
        "django.contrib.auth.backends.ModelBackend",
        "allauth.account.auth_backends.AuthenticationBackend",
    ],
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ACCOUNT_EMAIL_VERIFICATION="none",
    ACCOUNT_RATE_LIMITS=False,
    LOGIN_REDIRECT_URL="/",
    IDP_OIDC_PRIVATE_KEY=key.decode(),
    IDP_OIDC_DEVICE_CODE_INTERVAL=1,
    IDP_OIDC_RATE_LIMITS=False,
    IDP_OIDC_ROTATE_REFRESH_TOKEN=True,
)

import django

django.setup()

from django.http import HttpResponse
from django.urls import include, path

urlpatterns = [
    path("", lambda request: HttpResponse("home")),
    path("accounts/", include("allauth.urls")),
    path("", include("allauth.idp.urls")),
]

if __name__ == "__main__":
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    from allauth.idp.oidc.models import Client

    call_command("migrate", verbosity=0)
    get_user_model().objects.create_user("jisu", email="jisu@example.com", password="k9-leash!")
    client = Client(id="pawkit-dog", name="Dog", type=Client.Type.PUBLIC)
    client.set_grant_types([Client.GrantType.DEVICE_CODE, Client.GrantType.REFRESH_TOKEN])
    client.set_scopes(["openid", "profile", "email"])
    client.save()
    server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
    server.set_app(get_wsgi_application())
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
