"""Earlier answers: records read and checked, those with secrets left out."""
