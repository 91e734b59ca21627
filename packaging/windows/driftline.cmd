@echo off
rem The `driftline` command of an installed app: runs the app's own Electron as Node.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\Driftline.exe" "%~dp0..\resources\app.asar\out\main\cli.cjs" %*
exit /b %ERRORLEVEL%
