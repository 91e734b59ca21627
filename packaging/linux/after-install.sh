#!/bin/sh
# Puts the command on the PATH and tells the desktop about the app.
set -e
ln -sf '/opt/Driftline/bin/driftline' /usr/bin/driftline
chmod 0755 '/opt/Driftline/bin/driftline'
# Chromium's sandbox needs user namespaces, or this bit where the system has none. It is never switched off.
if unshare --user true 2> /dev/null; then
  chmod 0755 '/opt/Driftline/chrome-sandbox'
else
  chmod 4755 '/opt/Driftline/chrome-sandbox'
fi
if command -v update-desktop-database > /dev/null; then update-desktop-database /usr/share/applications || true; fi
if command -v update-mime-database > /dev/null; then update-mime-database /usr/share/mime || true; fi
