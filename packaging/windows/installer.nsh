; Adds the `driftline` command to the user's PATH and a menu entry for folders to Explorer. The uninstaller asks before it
; deletes the history.
!include "StrFunc.nsh"
${StrStr}
${UnStrRep}

!macro customInstall
  ReadRegStr $0 HKCU "Environment" "Path"
  ${StrStr} $1 "$0" "$INSTDIR\bin"
  ${If} $1 == ""
    ${If} $0 == ""
      WriteRegExpandStr HKCU "Environment" "Path" "$INSTDIR\bin"
    ${Else}
      WriteRegExpandStr HKCU "Environment" "Path" "$0;$INSTDIR\bin"
    ${EndIf}
    SendMessage ${HWND_BROADCAST} ${WM_WININICHANGE} 0 "STR:Environment" /TIMEOUT=5000
  ${EndIf}
  WriteRegStr HKCU "Software\Classes\Directory\shell\Driftline" "" "Open with Driftline"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Driftline" "Icon" "$INSTDIR\Driftline.exe"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Driftline\command" "" '"$INSTDIR\Driftline.exe" --folder "%V"'
!macroend

!macro customUnInstall
  ; An update runs the old uninstaller first. The user's data must stay unchanged then.
  ${IfNot} ${isUpdated}
    ExecWait '"$INSTDIR\bin\driftline.cmd" disconnect --all'
    DeleteRegKey HKCU "Software\Classes\Directory\shell\Driftline"
    ReadRegStr $0 HKCU "Environment" "Path"
    ${UnStrRep} $1 "$0" ";$INSTDIR\bin" ""
    ${UnStrRep} $1 "$1" "$INSTDIR\bin" ""
    WriteRegExpandStr HKCU "Environment" "Path" "$1"
    SendMessage ${HWND_BROADCAST} ${WM_WININICHANGE} 0 "STR:Environment" /TIMEOUT=5000
    MessageBox MB_YESNO|MB_DEFBUTTON2 "Also delete the recorded history? Your projects are not changed. Choose No to keep the history for a later installation." /SD IDNO IDNO keep
      RMDir /r "$APPDATA\Driftline"
    keep:
  ${EndIf}
!macroend
