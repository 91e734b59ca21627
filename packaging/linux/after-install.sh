#!/bin/sh
# Adds the command to the PATH and registers the app with the desktop.
set -e
ln -sf '/opt/Driftline/bin/driftline' /usr/bin/driftline
chmod 0755 '/opt/Driftline/bin/driftline'
# Chromium's sandbox needs user namespaces, or the setuid bit on systems without them. It is never disabled.
if unshare --user true 2> /dev/null; then
  chmod 0755 '/opt/Driftline/chrome-sandbox'
else
  chmod 4755 '/opt/Driftline/chrome-sandbox'
fi
if command -v update-desktop-database > /dev/null; then update-desktop-database /usr/share/applications || true; fi
if command -v update-mime-database > /dev/null; then update-mime-database /usr/share/mime || true; fi
