// What the server says to viser's client goes through here first, so that other scripts of the page may leave some of it out or
// change it: functions from messages to messages, in `tautMessages`. viser hears them from a worker of its own.
"use strict";
(() => {
  const heard = window.tautMessages = [];
  const given = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
  Object.defineProperty(Worker.prototype, "onmessage", {
    ...given,
    set(hear) {
      given.set.call(this, hear && function (event) {
        const data = event.data;
        if (data && data.type === "message_batch" && Array.isArray(data.messages))
          data.messages = heard.reduce((messages, change) => change(messages), data.messages);
        return hear.call(this, event);
      });
    },
  });
})();
