/dev/fd/3: line 52: ./storm: No such file or directory
