"use strict";
for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    const shown = button.parentElement.querySelector("pre");
    try {
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = "Copied";
    } catch (refused) {
      // Some browsers deny local files the clipboard. The text is then selected, to be copied by keyboard.
      getSelection().selectAllChildren(shown);
      button.textContent = "Selected";
    }
  });
}
