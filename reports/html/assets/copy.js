"use strict";
for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    const shown = button.parentElement.querySelector("pre");
    try {
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = "Copied";
    } catch (refused) {
      // Some browsers give no clipboard to files: the text is selected instead, for the keyboard.
      getSelection().selectAllChildren(shown);
      button.textContent = "Selected";
    }
  });
}
