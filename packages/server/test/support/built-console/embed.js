embed();
