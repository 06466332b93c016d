// placeholder: replaced before the first landing
